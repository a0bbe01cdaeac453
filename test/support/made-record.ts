import { readFileSync } from 'node:fs';
import type { ContactPatch } from '#records/contacts/contact.ts';
import type { FlatContactKey, MediaRecord, RecordPatch } from '#records/media-record.ts';
import { completeRecord } from '#records/stored-record.ts';
import five from './five-media.json' with { type: 'json' };
import known from './known-media.json' with { type: 'json' };
import few from './media.json' with { type: 'json' };

const madeDates = { updated_at: '2026-01-01T00:00:00.000Z', created_at: '2026-01-01T00:00:00.000Z' };

type Given = Partial<MediaRecord> & { id: string };

/** A record for a test: an outlet with only the values that the test sets. */
export function madeRecord(given: Given): MediaRecord {
  const { contact_count: _, ...values } = given;
  return completeRecord({ kind: 'outlet', name: `Outlet ${given.id}`, ...madeDates, ...values });
}

/** What a record says, without the dates that the service sets. */
export function contentOf(record: MediaRecord | null): Partial<MediaRecord> | null {
  if (record === null) return null;
  const { updated_at, created_at, ...content } = record;
  return content;
}

/** A patch for a test, as an import makes it of columns: the flat keys are of one contact. */
export function madePatch<Values extends Partial<MediaRecord>>(
  given: Values,
): Omit<RecordPatch, 'id'> & ('id' extends keyof Values ? { id: string } : unknown) {
  const contact: Record<string, unknown> = {};
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) {
    const ofContact = contactKeys[key as FlatContactKey];
    if (ofContact === undefined) values[key] = value;
    else contact[ofContact] = value;
  }
  const contacts = { patches: [contact as ContactPatch], areAll: false };
  return { ...values, ...(Object.keys(contact).length > 0 && { contacts }) } as never;
}

const contactKeys: Record<FlatContactKey, keyof ContactPatch> = {
  contact_name: 'name',
  contact_title: 'title',
  email: 'email',
  email_status: 'email_status',
  email_source: 'email_source',
  last_verified_at: 'last_verified_at',
  phone: 'phone',
};

/** The records of a table: their keys, then a line each with the values in JSON, and tabs between. A `#` begins a remark. */
export function readMedia(file: URL): MediaRecord[] {
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  const [keys = [], ...rows] = lines.filter((line) => !line.startsWith('#')).map((line) => line.split('\t'));
  const valuesOf = (cells: string[]) =>
    keys.flatMap((key, column) => (cells[column] ? [[key, JSON.parse(cells[column])]] : []));
  return rows.map((cells) => madeRecord(Object.fromEntries(valuesOf(cells))));
}

const madeRecords = (given: object): readonly MediaRecord[] => (given as Given[]).map(madeRecord);

/** Invented media among which the queries of test/relevance/expectations.tsv search. */
export const knownMedia = madeRecords(known);

/** A few media of every kind, most with an address that no masked caller may see. */
export const media = madeRecords(few);

/** All addresses of these media. */
export const addresses = media.flatMap(({ email }) => email ?? []);

/** Five media: at least one of each kind, with values in many fields, of which some are equal and some unknown. */
export const fiveMedia = madeRecords(five);
