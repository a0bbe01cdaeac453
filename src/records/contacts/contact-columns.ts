import { nameKey } from '#text/fold.ts';
import { memoize } from '#text/memoize.ts';
import type { FlatContactKey, RecordKey } from '../media-record.ts';

/**
 * Columns of lists that say something of a contact and are no key of a record. Their keys are headings in any list; other headings
 * count beside a column of people (see people-columns.ts).
 */
export const contactColumns = [
  { key: 'contact_id', doc: 'Our id of the contact, beside our id of the record.' },
  { key: 'person_id', doc: "The list's own id of a person; it counts within one --source." },
  { key: 'beats', doc: 'What the person covers.' },
  { key: 'links', doc: 'URLs of profiles.' },
  { key: 'x_handle', headings: 'twitter, x, x twitter, twitter x, tweeter', doc: 'A handle or URL on X.' },
  { key: 'instagram_handle', headings: 'instagram, insta', doc: 'A handle or URL on Instagram.' },
  {
    key: 'linkedin_handle',
    headings: 'person linkedin, contact linkedin, personal linkedin',
    doc: "A person's handle or URL on LinkedIn.",
  },
  { key: 'bluesky_handle', headings: 'bluesky, bsky', doc: 'A handle or URL on Bluesky.' },
  { key: 'mastodon_handle', headings: 'mastodon, fediverse', doc: 'A handle or URL on Mastodon.' },
  { key: 'other_email', doc: 'Further addresses of the person.' },
  { key: 'other_phone', doc: 'A phone for where `phone` is empty.' },
] as const satisfies readonly { key: string; headings?: string; doc: string }[];

export type ContactColumn = (typeof contactColumns)[number]['key'];

/** What a column says of a further person of the same row: `email_2`, `email_3`. */
export type FurtherColumn = `${FlatContactKey | ContactColumn}_${number}`;

/** What a column of a list may fill: a field of the record, or something of a contact. */
export type ColumnKey = RecordKey | ContactColumn | FurtherColumn;

/** Columns of which a list may have several. Their cells become one list. */
export const repeatableColumns: ReadonlySet<string> = new Set<ContactColumn>([
  'beats',
  'links',
  'other_email',
  'other_phone',
]);

const keys: ReadonlySet<string> = new Set(contactColumns.map(({ key }) => key));

export function isContactColumn(key: string): key is ContactColumn {
  return keys.has(key);
}

/** A column without the place of its person, and that place among the people of a row, from 1: of `email_2`, `email` and 2. */
export const placeOfColumn = memoize((column: string): { field: RecordKey | ContactColumn; place: number } => {
  const [, field, place] = /^(.+)_([2-9]|[1-9]\d)$/.exec(column) ?? [];
  return { field: (field ?? column) as RecordKey | ContactColumn, place: Number(place ?? 1) };
});

/** Whether a column may be about a further person: only then does its name end with a digit. Rows are asked for each of theirs. */
export function mayBeFurther(column: string): boolean {
  return column.charCodeAt(column.length - 1) <= 0x39;
}

/** The column that says this of the person at that place of a row. */
export function columnAt(field: FlatContactKey | ContactColumn, place: number): ColumnKey {
  return place === 1 ? field : `${field}_${place}`;
}

/** What a heading may say beside the name of a network: `Twitter handle`, `X (Twitter) URL`. */
const besideNetworks = new Set('handle handles url link profile account username user page id dm of the'.split(' '));

const networks = new Map<string, ContactColumn>(
  contactColumns.flatMap((column) =>
    'headings' in column ? column.headings.split(', ').map((heading) => [heading, column.key] as const) : [],
  ),
);

/** The column of handles on a network that a heading names beside a column of people; null for another one. */
export function findHandleColumn(heading: string): ContactColumn | null {
  const words = nameKey(heading)
    .split(' ')
    .filter((word) => !besideNetworks.has(word));
  const [first, ...otherWords] = words;
  return networks.get(words.join(' ')) ?? (first === 'contact' ? networks.get(otherWords.join(' ')) : null) ?? null;
}
