import type { MediaRecord } from '#records/media-record.ts';
import { madeRecord } from '#testing/made-record.ts';

const record = madeRecord({ id: 'a', name: 'Leeds Post', url: 'https://post.example/', contact_name: 'Jo' });
const others: readonly Partial<MediaRecord>[] = [
  { kind: 'podcast' },
  { name: 'Leeds Boast' },
  { aliases: ['The Post'] },
  { url: 'https://boast.example/' },
  { description: 'About Leeds.' },
  { language: 'en' },
  { continent: 'europe' },
  { country: 'GB' },
  { region: 'Yorkshire' },
  { city: 'Leeds' },
  { city_size: 'large' },
  { type: 'newspaper' },
  { categories: ['arts'] },
  { categories: ['arts', 'food'] },
  { coverage: 'local' },
  { contact_name: null },
  { email: 'x@post.example' },
  { email: 'x@boast.example' },
  { email_status: 'valid' },
  { audience: 0 },
  { feed_url: 'https://feeds.example/' },
  { updated_at: '2026-02-01T00:00:00.000Z' },
];

/** One record, and others that each differ from it in something that affects searches. */
export const recordsThatDiffer: readonly MediaRecord[] = [record, ...others.map((other) => ({ ...record, ...other }))];
