import { hash } from 'node:crypto';
import type { Response } from 'express';

/**
 * Sends JSON that its caller may keep and revalidate by its ETag, a digest of exactly the bytes sent; compare-etags.ts
 * answers 304 if the caller has them.
 */
export function sendRevalidatable(res: Response, answer: object): void {
  const body = Buffer.from(JSON.stringify(answer));
  res
    .set({ 'Cache-Control': 'private, no-cache', ETag: `W/"${hash('sha1', body, 'base64url')}"` })
    .type('application/json')
    .send(body);
}
