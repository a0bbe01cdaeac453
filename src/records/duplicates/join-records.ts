import { nameKey } from '#text/fold.ts';
import { sameValue, valuesOf } from '../changes/record-change.ts';
import { emptyRecord, isKnown, plainFields } from '../fields.ts';
import type { MediaRecord, RecordKey, RecordPatch } from '../media-record.ts';
import { joinTags } from '../normalize/clean-text.ts';

/** Fields that only have a meaning together, and are taken from one record; the first one decides whose. */
const address = ['email', 'email_status', 'email_source', 'last_verified_at'] as const satisfies RecordKey[];
const contact = ['contact_name', 'contact_title'] as const satisfies RecordKey[];
const place = ['country', 'region', 'city', 'city_size'] as const satisfies RecordKey[];

/** Fields that the kept record takes from the others only where it has nothing. */
const filled = [
  'language',
  'continent',
  'coverage',
  'phone',
  'frequency',
  'url',
  'feed_url',
  'linkedin_url',
  'description',
  'audience',
  ...plainFields.map(({ key }) => key).filter((key) => key !== 'contact_name' && key !== 'contact_title'),
] as const satisfies RecordKey[];

/** What a record gains from duplicates, best first, as a patch for mergeRecord; docs/data-staff.md has the rules. */
export function joinRecords(
  keep: MediaRecord,
  others: readonly MediaRecord[],
  addressOf = newestAddress(keep, others),
): RecordPatch {
  const all = [keep, ...others];
  const joined: Partial<MediaRecord> = {
    aliases: joinAliases(keep, others),
    categories: [...new Set(all.flatMap(({ categories }) => categories))],
    tags: joinTags(all.flatMap(({ tags }) => tags)),
    ...valuesOf(addressOf, address),
    ...valuesOf(all.find(({ contact_name }) => contact_name !== null) ?? keep, contact),
    ...joinPlaces(keep, others),
    // A type belongs to a kind.
    type: all.find(({ kind, type }) => kind === keep.kind && type !== null)?.type ?? null,
  };
  for (const key of filled) {
    const found = all.find((record) => isKnown(record[key]));
    if (found !== undefined) Object.assign(joined, valuesOf(found, [key]));
  }
  return { ...gainedBy(keep, joined), id: keep.id };
}

/** The fields that get other values. */
function gainedBy(keep: MediaRecord, joined: Partial<MediaRecord>): Partial<MediaRecord> {
  const gained = (Object.keys(joined) as RecordKey[]).filter((key) => !sameValue(joined[key], keep[key]));
  // A new address alone would clear what was said about the old one.
  if (gained.includes('email')) gained.push(...address);
  return valuesOf({ ...keep, ...joined }, gained);
}

/** Fields that are about the same thing only as long as their leaders agree. */
const led: readonly { leaders: readonly RecordKey[]; fields: readonly RecordKey[] }[] = [
  { leaders: ['country', 'region', 'city'], fields: place },
  { leaders: ['contact_name'], fields: contact },
  { leaders: ['kind'], fields: ['type'] },
];

/**
 * A patch for a record that others were merged into. What it leaves empty stays and its lists add, as the rest may come
 * from the others; only what its new values make wrong is cleared. So all lists again, in any order, change nothing.
 */
export function keptPatch(patch: RecordPatch, kept: MediaRecord): RecordPatch {
  const { aliases, categories, tags, updated_at, ...said } = saidOver(patch, kept);
  return {
    ...said,
    ...(aliases && { aliases: joinAliases(kept, [{ name: kept.name, aliases }]) }),
    ...(categories && { categories: [...new Set([...kept.categories, ...categories])] }),
    ...(tags && { tags: joinTags([...kept.tags, ...tags]) }),
    ...(updated_at && updated_at > kept.updated_at && { updated_at }),
  };
}

/** A patch's values, and its empty fields only where one of those makes the known value wrong. */
function saidOver(patch: RecordPatch, known: RecordPatch): RecordPatch {
  const has = (key: RecordKey, of: RecordPatch) => isKnown(of[key] ?? null);
  const isOther = (key: RecordKey) =>
    has(key, patch) && has(key, known) && nameKey(String(patch[key])) !== nameKey(String(known[key]));
  const isWrong = (key: RecordKey) => led.some(({ leaders, fields }) => fields.includes(key) && leaders.some(isOther));
  const keys = (Object.keys(patch) as RecordKey[]).filter((key) => has(key, patch) || isWrong(key) || !(key in known));
  return valuesOf(patch, keys) as RecordPatch;
}

/** Joins two rows. The later one's values win; its empty cells clear only the details of another address. */
export function joinRows(earlier: RecordPatch, later: RecordPatch): RecordPatch {
  const hasOther = later.email && earlier.email && later.email !== earlier.email;
  const { email_status, email_source, last_verified_at, ...base } = earlier;
  return { ...(hasOther ? base : earlier), ...saidOver(later, earlier), id: later.id };
}

/** A patch for a merged id, turned into one for the kept record `id`. It only adds what that lacks, so a repeat changes nothing. */
export function redirectPatch(patch: RecordPatch, id: string, kept: MediaRecord | null): RecordPatch {
  if (kept === null) return { ...patch, id };
  const known = Object.fromEntries(Object.entries(patch).filter(([, value]) => isKnown(value)));
  const other: MediaRecord = { ...emptyRecord(id, kept.kind, kept.name), ...known };
  return { ...joinRecords(kept, [other], kept.email === null ? other : kept), id };
}

type Named = Pick<MediaRecord, 'name' | 'aliases'>;

function joinAliases(keep: Named, others: readonly Named[]): string[] {
  const known = new Set([keep.name, ...keep.aliases].map(nameKey));
  const aliases = [...keep.aliases];
  for (const alias of others.flatMap(({ name, aliases: more }) => [name, ...more])) {
    const key = nameKey(alias);
    if (known.has(key)) continue;
    known.add(key);
    aliases.push(alias);
  }
  return aliases;
}

/** The kept record, unless it has no address, or another's was verified later and is not known to be invalid. */
function newestAddress(keep: MediaRecord, others: readonly MediaRecord[]): MediaRecord {
  let best = keep;
  for (const other of others) {
    if (other.email === null) continue;
    const isNewer = (other.last_verified_at ?? '') > (best.last_verified_at ?? '') && other.email_status !== 'invalid';
    if (best.email === null || isNewer) best = other;
  }
  return best;
}

/** The place of the kept record, completed by the first that does not contradict it and knows more. */
function joinPlaces(keep: MediaRecord, others: readonly MediaRecord[]): Partial<MediaRecord> {
  const agrees = (other: MediaRecord) =>
    (['country', 'region', 'city'] as const).every(
      (key) => keep[key] === null || other[key] === null || nameKey(keep[key]) === nameKey(other[key]),
    );
  const knowsMore = (other: MediaRecord) => place.some((key) => keep[key] === null && other[key] !== null);
  const other = others.find((record) => agrees(record) && knowsMore(record));
  if (other === undefined) return valuesOf(keep, place);
  return Object.fromEntries(place.map((key) => [key, keep[key] ?? other[key]]));
}
