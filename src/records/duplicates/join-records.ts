import { nameKey } from '#text/fold.ts';
import { sameValue, valuesOf } from '../changes/record-change.ts';
import type { ContactPatch, ContactsPatch } from '../contacts/contact.ts';
import { uniteContacts } from '../contacts/merge-contacts.ts';
import { areOfTwo, groupOf, keysOf } from '../field-groups.ts';
import { emptyRecord, isKnown } from '../fields.ts';
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
  'platform',
  'linkedin_url',
] as const satisfies RecordKey[];

/** What a record gains from duplicates, best first, as a patch for mergeRecord; docs/data-staff.md has the rules. */
export function joinRecords(keep: MediaRecord, otherRecords: readonly MediaRecord[]): RecordPatch {
  const records = [keep, ...otherRecords];
  const joined: Partial<MediaRecord> = {
    aliases: joinAliases(keep, otherRecords),
    categories: [...new Set(records.flatMap(({ categories }) => categories))],
    tags: joinTags(records.flatMap(({ tags }) => tags)),
    ...joinPlaces(keep, otherRecords),
    // A type belongs to a kind.
    type: records.find(({ kind, type }) => kind === keep.kind && type !== null)?.type ?? null,
  };
  for (const key of filled) {
    const source = records.find((record) => isKnown(record[key]));
    if (source !== undefined) Object.assign(joined, valuesOf(source, [key]));
  }
  const gained = (Object.keys(joined) as RecordKey[]).filter((key) => !sameValue(joined[key], keep[key]));
  const contacts = uniteContacts(
    keep,
    keep.contacts,
    otherRecords.map(({ contacts }) => contacts),
  );
  return {
    ...(valuesOf(joined, gained) as object),
    id: keep.id,
    ...(!sameValue(contacts, keep.contacts) && { contacts }),
  };
}

/**
 * A patch for a record that others were merged into. What it leaves empty stays and its lists add, as the rest may come
 * from the others; only what its new values make wrong is cleared. So all lists again, in any order, change nothing.
 */
export function keptPatch(patch: RecordPatch, keptRecord: MediaRecord): RecordPatch {
  const { aliases, categories, tags, contacts, ...newValues } = saidOver(patch, keptRecord);
  return {
    ...newValues,
    ...(aliases && { aliases: joinAliases(keptRecord, [{ name: keptRecord.name, aliases }]) }),
    ...(categories && { categories: [...new Set([...keptRecord.categories, ...categories])] }),
    ...(tags && { tags: joinTags([...keptRecord.tags, ...tags]) }),
    ...(contacts && { contacts: 'patches' in contacts ? withoutUnknown(contacts) : contacts }),
  };
}

/** What is said of contacts without what is unknown of them: it may be known from a record that was merged. */
function withoutUnknown({ patches }: ContactsPatch): ContactsPatch {
  const withoutUnknownValues = (patch: ContactPatch) =>
    Object.fromEntries(Object.entries(patch).filter(([, value]) => isKnown(value ?? null)));
  return { patches: patches.map(withoutUnknownValues), areAll: false };
}

/** A patch's values, and its empty fields only where one of those makes the known value wrong. */
function saidOver(patch: RecordPatch, base: MediaRecord | RecordPatch): RecordPatch {
  const [values, knownValues] = [patch, base] as unknown as [Partial<MediaRecord>, Partial<MediaRecord>];
  const isWrong = (key: RecordKey) => {
    const group = groupOf(key);
    return group !== null && areOfTwo(group, knownValues, values);
  };
  const keys = (Object.keys(values) as RecordKey[]).filter(
    (key) => isKnown(values[key] ?? null) || isWrong(key) || !(key in knownValues),
  );
  return valuesOf(values, keys) as unknown as RecordPatch;
}

/** Joins two rows. The later one's values win; its empty cells clear only what is wrong beside them: the type of another kind. */
export function joinRows(earlier: RecordPatch, later: RecordPatch): RecordPatch {
  const contacts = joinContacts(earlier.contacts, later.contacts);
  return { ...earlier, ...saidOver(later, earlier), id: later.id, ...(contacts && { contacts }) };
}

/** What both rows say of contacts; mergeRecord finds out which are the same. What names all of them replaces what came before. */
function joinContacts(earlier: RecordPatch['contacts'], later: RecordPatch['contacts']): RecordPatch['contacts'] {
  if (earlier === undefined || later === undefined) return later ?? earlier;
  if (!('patches' in later) || later.areAll || !('patches' in earlier)) return later;
  return earlier.areAll ? earlier : { ...later, patches: [...earlier.patches, ...later.patches] };
}

/** A patch for a merged id, turned into one for the kept record `id`. It only adds what that lacks, so a repeat changes nothing. */
export function redirectPatch(patch: RecordPatch, id: string, keptRecord: MediaRecord | null): RecordPatch {
  if (keptRecord === null) return { ...patch, id };
  const { contacts: contactsPatch, guessed: _, ...values } = patch;
  const knownValues = Object.fromEntries(Object.entries(values).filter(([, value]) => isKnown(value)));
  const other: MediaRecord = { ...emptyRecord(id, keptRecord.kind, keptRecord.name), ...knownValues };
  const { contacts: _own, ...gained } = joinRecords(keptRecord, [other]);
  if (contactsPatch === undefined || !('patches' in contactsPatch)) return { ...gained, id };
  return { ...gained, id, contacts: { patches: contactsPatch.patches, areAll: false, fillsOnly: true } };
}

type Named = Pick<MediaRecord, 'name' | 'aliases'>;

function joinAliases(keep: Named, otherMedia: readonly Named[]): string[] {
  const knownKeys = new Set([keep.name, ...keep.aliases].map(nameKey));
  const aliases = [...keep.aliases];
  for (const alias of otherMedia.flatMap(({ name, aliases: more }) => [name, ...more])) {
    const key = nameKey(alias);
    if (knownKeys.has(key)) continue;
    knownKeys.add(key);
    aliases.push(alias);
  }
  return aliases;
}

/** The place of the kept record, completed by the first that does not contradict it and knows more. */
function joinPlaces(keep: MediaRecord, otherRecords: readonly MediaRecord[]): Partial<MediaRecord> {
  const agrees = (other: MediaRecord) => !areOfTwo('place', keep, other);
  const place = keysOf('place');
  const knowsMore = (other: MediaRecord) => place.some((key) => keep[key] === null && other[key] !== null);
  const other = otherRecords.find((record) => agrees(record) && knowsMore(record));
  if (other === undefined) return valuesOf(keep, place);
  return Object.fromEntries(place.map((key) => [key, keep[key] ?? other[key]]));
}
