import { z } from 'zod';
import type { SearchResult } from '#search/search-index.ts';
import { typedParts } from '#search/understanding/typed-parts.ts';
import descriptions from './headers.json' with { type: 'json' };

export const moment = z.string().meta({ format: 'date-time' });
export const count = z.int().min(0);
export const masked = z.boolean().describe('Whether addresses are masked, for lack of an active plan.');

/** How the records of a page match. These keys are absent if they have nothing to say. */
export const howMatched = {
  corrected: z
    .literal(true)
    .optional()
    .describe('Present if some of the records match `q` only after its spelling was corrected or a word was left out.'),
  match: z
    .literal('meaning')
    .optional()
    .describe('Present if these are the records nearest in meaning to `q`: with `match=meaning`.'),
  dropped: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'Present if some of the records lack parts of `q`: these parts, as typed. Exports and pushes have only records that lack none; `whole=1` finds those.',
    ),
};

/** The parts of the text that some records lack, as they were typed; nothing if there are none. */
export function presentDropped(dropped: SearchResult['dropped'], q?: string | null): { dropped?: string[] } {
  return dropped.length === 0 ? {} : { dropped: typedParts(q ?? '', dropped) };
}

/** The headers of answers that `sendRevalidatable` sends. */
export const caching = {
  ETag: header('ETag'),
  'Cache-Control': header('CacheControl'),
};

export const notModified = { 304: { description: 'Not modified since the ETag in If-None-Match.' } };
export const movedToKept = {
  308: {
    description: 'The record is a duplicate that was merged into another one: `Location` is the path of that one.',
    headers: { Location: header('Location') },
  },
};

/** An object of answers. The OpenAPI document describes it once, among its components. */
export function answerObject<Shape extends z.ZodRawShape>(id: string, shape: Shape, description?: string) {
  return z.strictObject(shape).meta({ id, ...(description !== undefined && { description }) });
}

/** A header, which headers.json describes. The OpenAPI document has it once, among its components. */
export function header(id: keyof typeof descriptions, schema: z.ZodType = z.string()): z.ZodType {
  return schema.meta({ header: { id, description: descriptions[id] } });
}

export const deletedAnswer = answerObject('Deleted', { deleted: z.literal(true) });
