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
export function joinRecords(keep: MediaRecord, others: readonly MediaRecord[]): RecordPatch {
  const all = [keep, ...others];
  const joined: Partial<MediaRecord> = {
    aliases: joinAliases(keep, others),
    categories: [...new Set(all.flatMap(({ categories }) => categories))],
    tags: joinTags(all.flatMap(({ tags }) => tags)),
    ...joinPlaces(keep, others),
    // A type belongs to a kind.
    type: all.find(({ kind, type }) => kind === keep.kind && type !== null)?.type ?? null,
  };
  for (const key of filled) {
    const found = all.find((record) => isKnown(record[key]));
    if (found !== undefined) Object.assign(joined, valuesOf(found, [key]));
  }
  const gained = (Object.keys(joined) as RecordKey[]).filter((key) => !sameValue(joined[key], keep[key]));
  const contacts = uniteContacts(
    keep,
    keep.contacts,
    others.map(({ contacts }) => contacts),
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
export function keptPatch(patch: RecordPatch, kept: MediaRecord): RecordPatch {
  const { aliases, categories, tags, contacts, ...said } = saidOver(patch, kept);
  return {
    ...said,
    ...(aliases && { aliases: joinAliases(kept, [{ name: kept.name, aliases }]) }),
    ...(categories && { categories: [...new Set([...kept.categories, ...categories])] }),
    ...(tags && { tags: joinTags([...kept.tags, ...tags]) }),
    ...(contacts && { contacts: 'patches' in contacts ? withoutUnknown(contacts) : contacts }),
  };
}

/** What is said of contacts without what is unknown of them: it may be known from a record that was merged. */
function withoutUnknown({ patches }: ContactsPatch): ContactsPatch {
  const known = (patch: ContactPatch) =>
    Object.fromEntries(Object.entries(patch).filter(([, value]) => isKnown(value ?? null)));
  return { patches: patches.map(known), areAll: false };
}

/** A patch's values, and its empty fields only where one of those makes the known value wrong. */
function saidOver(patch: RecordPatch, known: MediaRecord | RecordPatch): RecordPatch {
  const [values, knownValues] = [patch, known] as unknown as [Partial<MediaRecord>, Partial<MediaRecord>];
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
export function redirectPatch(patch: RecordPatch, id: string, kept: MediaRecord | null): RecordPatch {
  if (kept === null) return { ...patch, id };
  const { contacts: said, guessed: _, ...values } = patch;
  const known = Object.fromEntries(Object.entries(values).filter(([, value]) => isKnown(value)));
  const other: MediaRecord = { ...emptyRecord(id, kept.kind, kept.name), ...known };
  const { contacts: _own, ...gained } = joinRecords(kept, [other]);
  if (said === undefined || !('patches' in said)) return { ...gained, id };
  return { ...gained, id, contacts: { patches: said.patches, areAll: false, fillsOnly: true } };
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

/** The place of the kept record, completed by the first that does not contradict it and knows more. */
function joinPlaces(keep: MediaRecord, others: readonly MediaRecord[]): Partial<MediaRecord> {
  const agrees = (other: MediaRecord) => !areOfTwo('place', keep, other);
  const place = keysOf('place');
  const knowsMore = (other: MediaRecord) => place.some((key) => keep[key] === null && other[key] !== null);
  const other = others.find((record) => agrees(record) && knowsMore(record));
  if (other === undefined) return valuesOf(keep, place);
  return Object.fromEntries(place.map((key) => [key, keep[key] ?? other[key]]));
}
