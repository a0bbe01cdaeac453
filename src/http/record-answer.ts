import { z } from 'zod';
import { emptyRecord, fields } from '#records/fields.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { count, moment } from './endpoint.ts';

const emptyOne = emptyRecord('none', 'outlet', 'None');

const valueSchemas: Record<(typeof fields)[number]['type'], (word: z.ZodType) => z.ZodType> = {
  text: (word) => word,
  list: (word) => z.array(word),
  // A masked address is not a valid address: it contains stars.
  email: () => z.string(),
  url: () => z.string(),
  date: () => moment,
  integer: () => count,
};

const recordShape = Object.fromEntries(fields.map((field) => [field.key, recordField(field)])) as {
  [Key in keyof MediaRecord]: z.ZodType<MediaRecord[Key]>;
};

/** A record (contract A1), built from the registry. A field that is null in an empty record is nullable. */
export const recordAnswer = z
  .strictObject(recordShape)
  .meta({ id: 'Record', description: 'An outlet, podcast or newsletter. Unknown values are null.' });

/** A record as callers get it who ask for some of its keys. */
export const selectedRecordAnswer = recordAnswer
  .partial()
  .required({ id: true })
  .meta({ id: 'SelectedRecord', description: 'The keys of a record that the parameter `fields` names.' });

function recordField(field: (typeof fields)[number]): z.ZodType {
  const { key, type, doc } = field;
  const word = 'vocabulary' in field ? z.enum(field.vocabulary) : z.string();
  const value = valueSchemas[type](word);
  return (emptyOne[key] === null ? value.nullable() : value).describe(doc);
}

/** Invented, under the reserved .example. */
export const exampleRecord: MediaRecord = {
  ...emptyRecord('outlet-harbour-times', 'outlet', 'The Harbour Times'),
  aliases: ['Harbour Times'],
  url: 'https://harbour-times.example/',
  description: 'News of the harbour and the towns around it.',
  language: 'en',
  continent: 'europe',
  country: 'GB',
  country_name: 'United Kingdom',
  region: 'England',
  city: 'Leeds',
  city_size: 'large',
  type: 'newspaper',
  categories: ['general_news', 'politics'],
  coverage: 'regional',
  contact_name: 'Ada Quill',
  contact_title: 'News editor',
  email: 'a***@harbour-times.example',
  email_status: 'valid',
  last_verified_at: '2026-10-02T00:00:00.000Z',
  audience: 90_000,
  frequency: 'daily',
  feed_url: 'https://harbour-times.example/feed',
  updated_at: '2026-10-02T08:15:00.000Z',
  tags: ['Harbour Media Group'],
};
