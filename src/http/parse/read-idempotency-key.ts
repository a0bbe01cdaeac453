import { z } from 'zod';
import { invalidRequest } from './faults.ts';

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longText = /^[\x21-\x7e]{32,255}$/;

/**
 * The Idempotency-Key of a request; null without one. Throws Problem `invalid_request` for one that another caller
 * could use by chance.
 */
export function readIdempotencyKey(header: string | undefined): string | null {
  const key = header?.trim() ?? '';
  if (key === '') return null;
  if (uuid.test(key)) return key.toLowerCase();
  if (longText.test(key)) return key;
  throw invalidRequest({
    in: 'header',
    name: 'Idempotency-Key',
    code: 'invalid',
    wrong: 'Use a UUID, or 32 to 255 random ASCII characters without spaces.',
  });
}

/** The header, for the descriptions of endpoints. */
export const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .optional()
    .describe(
      'A UUID, or 32 to 255 random characters. For 24 hours, the same key and body get the same answer, even while the first request is running.',
    ),
});
