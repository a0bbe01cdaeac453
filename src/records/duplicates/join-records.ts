import { nameKey } from '#text/fold.ts';
import { sameValue, valuesOf } from '../changes/record-change.ts';
import { isSameContact, namesContact } from '../contacts/same-contact.ts';
import { areOfTwo, groupOf, isAboutAddress, isOfContact, keysOf, outdatedBy } from '../field-groups.ts';
import { emptyRecord, isKnown, plainFields } from '../fields.ts';
import type { MediaRecord, RecordKey, RecordPatch } from '../media-record.ts';
import { joinTags } from '../normalize/clean-text.ts';

/** Fields that the kept record takes from the others only where it has nothing. */
const filled = [
  'language',
  'continent',
  'coverage',
  'frequency',
  'url',
  'feed_url',
  'description',
  'audience',
  ...plainFields.map(({ key }) => key).filter((key) => !keysOf('contact').includes(key)),
] as const satisfies RecordKey[];

/** What a record gains from duplicates, best first, as a patch for mergeRecord; docs/data-staff.md has the rules. */
export function joinRecords(
  keep: MediaRecord,
  others: readonly MediaRecord[],
  contactOf = bestContact(keep, others),
): RecordPatch {
  const all = [keep, ...others];
  const joined: Partial<MediaRecord> = {
    aliases: joinAliases(keep, others),
    categories: [...new Set(all.flatMap(({ categories }) => categories))],
    tags: joinTags(all.flatMap(({ tags }) => tags)),
    ...joinContacts(contactOf, all),
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
  const patch = valuesOf(joined, gained);
  // What is the same is said again where the patch would clear it.
  return { ...patch, ...valuesOf(joined, outdatedBy(patch, keep)) };
}

/**
 * A patch for a record that others were merged into. What it leaves empty stays and its lists add, as the rest may come
 * from the others; only what its new values make wrong is cleared. So all lists again, in any order, change nothing.
 */
export function keptPatch(patch: RecordPatch, kept: MediaRecord): RecordPatch {
  const { aliases, categories, tags, ...said } = saidOver(withoutLesserContact(patch, kept), kept);
  return {
    ...said,
    ...(aliases && { aliases: joinAliases(kept, [{ name: kept.name, aliases }]) }),
    ...(categories && { categories: [...new Set([...kept.categories, ...categories])] }),
    ...(tags && { tags: joinTags([...kept.tags, ...tags]) }),
  };
}

/** The patch without its contact, if that has no address and the one that the kept record got from the others has. */
function withoutLesserContact(patch: RecordPatch, kept: MediaRecord): RecordPatch {
  if (kept.email === null || patch.email || isSameContact(kept, patch)) return patch;
  const rest = Object.entries(patch).filter(([key, value]) => !isOfContact(key as RecordKey, value));
  return Object.fromEntries(rest) as unknown as RecordPatch;
}

/** A patch's values, and its empty fields only where one of those makes the known value wrong. */
function saidOver(patch: RecordPatch, known: RecordPatch): RecordPatch {
  const isWrong = (key: RecordKey) => {
    const group = groupOf(key, known[key]);
    return group !== null && areOfTwo(group, known, patch);
  };
  const keys = (Object.keys(patch) as RecordKey[]).filter(
    (key) => isKnown(patch[key] ?? null) || isWrong(key) || !(key in known),
  );
  return valuesOf(patch, keys) as RecordPatch;
}

/** Joins two rows. The later one's values win; its empty cells clear only what is wrong beside them: the title of another person. */
export function joinRows(earlier: RecordPatch, later: RecordPatch): RecordPatch {
  const said = saidOver(later, earlier);
  const outdated = new Set<string>(outdatedBy(said, earlier));
  const stays = Object.entries(earlier).filter(([key]) => !outdated.has(key));
  return { ...Object.fromEntries(stays), ...said, id: later.id };
}

/** A patch for a merged id, turned into one for the kept record `id`. It only adds what that lacks, so a repeat changes nothing. */
export function redirectPatch(patch: RecordPatch, id: string, kept: MediaRecord | null): RecordPatch {
  if (kept === null) return { ...patch, id };
  const known = Object.fromEntries(Object.entries(patch).filter(([, value]) => isKnown(value)));
  const other: MediaRecord = { ...emptyRecord(id, kept.kind, kept.name), ...known };
  return { ...joinRecords(kept, [other], namesContact(kept) ? kept : other), id };
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

/**
 * The record whose contact is taken as a whole: the kept one, unless it has no address, or another's was verified later and is not
 * known to be invalid. Without any address, the first with a name.
 */
function bestContact(keep: MediaRecord, others: readonly MediaRecord[]): MediaRecord {
  let best = keep;
  for (const other of others) {
    if (other.email === null) continue;
    const isNewer = (other.last_verified_at ?? '') > (best.last_verified_at ?? '') && other.email_status !== 'invalid';
    if (best.email === null || isNewer) best = other;
  }
  if (best.email !== null) return best;
  const all = [keep, ...others];
  return all.find(({ contact_name }) => contact_name !== null) ?? all.find(namesContact) ?? keep;
}

/** The contact of a record, completed by records that have the same one or none. */
function joinContacts(chosen: MediaRecord, all: readonly MediaRecord[]): Partial<MediaRecord> {
  const candidates = [chosen, ...all.filter((record) => isSameContact(record, chosen))];
  const knowing = (key: RecordKey) => candidates.find((record) => isKnown(record[key])) ?? chosen;
  const withAddress = knowing('email');
  const joined: Partial<MediaRecord> = {};
  for (const key of keysOf('contact')) {
    Object.assign(joined, valuesOf(isAboutAddress(key) ? withAddress : knowing(key), [key]));
  }
  // The page of a company is the medium's own, whoever is the contact.
  const hasOwnPage = ({ linkedin_url }: MediaRecord) =>
    linkedin_url !== null && !isOfContact('linkedin_url', linkedin_url);
  joined.linkedin_url ??= all.find(hasOwnPage)?.linkedin_url ?? null;
  return joined;
}

/** The place of the kept record, completed by the first that does not contradict it and knows more. */
function joinPlaces(keep: MediaRecord, others: readonly MediaRecord[]): Partial<MediaRecord> {
  const agrees = (other: MediaRecord) => !areOfTwo('place', keep, other);
  const place = keysOf('place');
  const knowsMore = (other: MediaRecord) => place.some((key) => keep[key] === null && other[key] !== null);
  const other = others.find((record) => agrees(record) && knowsMore(record));
  if (other === undefined) return valuesOf(keep, place);
  return Object.fromEntries(place.map((key) => [key, keep[key] ?? other[key]]));
}
