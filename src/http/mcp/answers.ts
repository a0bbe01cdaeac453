import { z } from 'zod';
import type { RecordKey, SelectedRecord } from '#records/media-record.ts';
import type { ObjectSchema, ToolDeps } from './tool.ts';

/** What a list shows of a record unless other fields are asked for: what it is, where, how large, and whom to write to. */
export const usualKeys: readonly RecordKey[] = [
  'id',
  'kind',
  'name',
  'url',
  'language',
  'country',
  'region',
  'city',
  'type',
  'categories',
  'contact_name',
  'contact_title',
  'email',
  'email_status',
  'audience',
];

/** A record in a list. Its fields are described once, by the tool for single records. */
export const listedRecord = z
  .looseObject({ id: z.string() })
  .describe('The usual fields of a record or those of `fields`; get_record describes each. Unknown values are null.');

/** The JSON Schema of a tool's answer. */
export function answerSchema(shape: z.ZodRawShape): ObjectSchema {
  const schema = z.toJSONSchema(z.strictObject(shape), {
    // Times are described by their format; the pattern beside it is longer than all else.
    override: ({ jsonSchema }) => void delete jsonSchema.pattern,
  });
  return { ...schema, type: 'object' };
}

/** One line of JSON, without what is unknown. */
export function describeRecord(record: SelectedRecord): string {
  const known = Object.entries(record).filter(([, value]) => value !== null && String(value) !== '');
  return JSON.stringify(Object.fromEntries(known));
}

/** What to do about masks; nothing if there are none. */
export function aboutMasks(isMasked: boolean, { publicUrl }: Pick<ToolDeps, 'publicUrl'>): string[] {
  return isMasked ? [`Emails are masked. A key with an active plan shows them: ${publicUrl}/plans`] : [];
}
