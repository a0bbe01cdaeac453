import { sameValue } from './changes/record-change.ts';
import { contactLimit } from './contacts/contact.ts';
import { joinContactRows } from './contacts/join-contact-rows.ts';
import { type MergedContacts, mergeContacts, withKind } from './contacts/merge-contacts.ts';
import { withContacts } from './contacts/with-contacts.ts';
import { emptyRecord, isKnown, isServiceDate } from './fields.ts';
import { dateOfChange, type MediaRecord, type RecordKey, type RecordPatch } from './media-record.ts';
import { cityPopulation, onlyRegionOf } from './places/city-populations.ts';
import { continentOf, countryName } from './places/countries.ts';
import { citySizeOf } from './vocabularies.ts';

/** The result of a patch: the record to save, or why there is none. `named`: the ids of the contacts that the patch means. */
export type MergeResult =
  | { outcome: 'created' | 'updated'; record: MediaRecord; named: readonly string[] }
  | { outcome: 'unchanged'; named: readonly string[] }
  /** A new record without a kind or a name. */
  | { outcome: 'incomplete' }
  /** The record would have more contacts than `contactLimit`. */
  | { outcome: 'too_many_contacts' };

/**
 * Merges a patch into a record: its contacts one by one (see mergeContacts). Country name, continent, city size, and the region of another
 * city follow. A change is dated `now`. Only a new record takes dates from the patch, where it is made up with some.
 */
export function mergeRecord(stored: MediaRecord | null, givenPatch: RecordPatch, now: Date): MergeResult {
  const base = stored ?? newRecord(givenPatch);
  if (base === null) return { outcome: 'incomplete' };
  const { updated_at, created_at, contacts: contactsPatch, ...patch } = withoutGuesses(givenPatch, base);
  const valued: MediaRecord = { ...base, ...patch };
  const after = contactsAfter(base, valued, contactsPatch);
  if (after === null) return { outcome: 'too_many_contacts' };
  const { contacts, named } = after;
  const merged = withContacts(valued, contacts);
  if (stored !== null && patch.region === undefined) merged.region = regionAfter(stored, merged);
  merged.country_name = merged.country === null ? null : countryName(merged.country);
  if (merged.country !== null) merged.continent = continentOf(merged.country) ?? merged.continent;
  if (patch.city_size == null && ('city_size' in patch || stored === null || isElsewhere(stored, merged))) {
    merged.city_size = derivedCitySize(merged);
  }
  if (stored !== null && sameContent(stored, merged)) return { outcome: 'unchanged', named };
  if (stored !== null)
    return { outcome: 'updated', record: { ...merged, updated_at: dateOfChange(stored, now) }, named };
  const at = updated_at ?? now.toISOString();
  return { outcome: 'created', record: { ...merged, updated_at: at, created_at: created_at ?? at }, named };
}

/** A patch without the guesses for fields that are known. */
function withoutGuesses({ guessed = [], ...patch }: RecordPatch, base: MediaRecord): Omit<RecordPatch, 'guessed'> {
  // In another city the known region is wrong, so the guess counts.
  const isMoved = patch.city !== undefined && patch.city !== base.city;
  const idle = guessed.filter((key) => isKnown(base[key]) && !(key === 'region' && isMoved));
  return withoutKeys(patch, idle);
}

/** A patch that says nothing of these fields. */
export function withoutKeys<Patch extends Pick<RecordPatch, 'id'>>(patch: Patch, keys: readonly RecordKey[]): Patch {
  const remaining: Record<string, unknown> = { ...patch };
  for (const key of keys) if (key !== 'id') delete remaining[key];
  return remaining as Patch;
}

/** The stored record with a patch for it; the same object if the patch changes nothing, or if there is none. */
export function amendRecord(stored: MediaRecord, patch: Omit<RecordPatch, 'id'> | null, now: Date): MediaRecord {
  if (patch === null) return stored;
  const result = mergeRecord(stored, { ...patch, id: stored.id }, now);
  return 'record' in result ? result.record : stored;
}

function newRecord(patch: RecordPatch): MediaRecord | null {
  return patch.kind && patch.name ? emptyRecord(patch.id, patch.kind, patch.name) : null;
}

/** What tells a person's name from the medium's own. */
const namingKeys = ['name', 'aliases', 'url', 'feed_url', 'platform'] as const satisfies RecordKey[];

/** The contacts of a record after a patch; null if there would be too many. In a medium that was renamed, a desk may be a person. */
function contactsAfter(base: MediaRecord, medium: MediaRecord, patch: RecordPatch['contacts']): MergedContacts | null {
  const isRenamed = namingKeys.some((key) => !sameValue(base[key], medium[key]));
  const stored = isRenamed ? base.contacts.map((contact) => withKind(contact, medium)) : base.contacts;
  if (patch === undefined) return { contacts: stored, named: [] };
  if (!('patches' in patch)) {
    if (patch.length > contactLimit) return null;
    return { contacts: patch.map((contact) => withKind(contact, medium)), named: patch.map(({ id }) => id) };
  }
  const patches = patch.areAll ? patch.patches : joinContactRows(medium, patch.patches);
  return mergeContacts(medium, stored, { ...patch, patches });
}

/** The region of a record that moved, where its city is in only one: the known one is wrong in another city. Otherwise that one. */
function regionAfter(stored: MediaRecord, { city, country, region }: MediaRecord): MediaRecord['region'] {
  const isOpen = city !== stored.city || (region === null && country !== stored.country);
  return (isOpen && city !== null && country !== null ? onlyRegionOf(city, country) : null) ?? region;
}

function isElsewhere(stored: MediaRecord, merged: MediaRecord): boolean {
  return stored.city !== merged.city || stored.region !== merged.region || stored.country !== merged.country;
}

/** The size of a record's city by its population; null if that is unknown. */
export function derivedCitySize({ city, region, country }: MediaRecord): MediaRecord['city_size'] {
  const population = city === null ? null : cityPopulation(city, region, country);
  return population === null ? null : citySizeOf(population);
}

function sameContent(stored: MediaRecord, merged: MediaRecord): boolean {
  return (Object.keys(merged) as RecordKey[]).every((key) => isServiceDate(key) || sameValue(stored[key], merged[key]));
}
