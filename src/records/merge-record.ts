import { sameValue } from './changes/record-change.ts';
import { outdatedBy } from './field-groups.ts';
import { emptyRecord, isKnown, isServiceDate } from './fields.ts';
import type { MediaRecord, RecordKey, RecordPatch } from './media-record.ts';
import { cityPopulation } from './places/city-populations.ts';
import { continentOf, countryName } from './places/countries.ts';
import { dateOfChange } from './service-dates.ts';
import { citySizeOf } from './vocabularies.ts';

/** The result of a patch: the record to save, or why there is none. */
export type MergeResult =
  | { outcome: 'created' | 'updated'; record: MediaRecord }
  | { outcome: 'unchanged' }
  /** A new record without a kind or a name. */
  | { outcome: 'incomplete' };

/**
 * Merges a patch into a record. A contact other than the stored one replaces all of it (see outdatedBy); country name, continent
 * and city size follow. A change is dated `now`. Only a new record takes dates from the patch, where it is made up with some.
 */
export function mergeRecord(stored: MediaRecord | null, given: RecordPatch, now: Date): MergeResult {
  const base = stored ?? newRecord(given);
  if (base === null) return { outcome: 'incomplete' };
  const { updated_at, created_at, ...patch } = withoutGuesses(given, base);
  const merged = { ...base, ...unknown(outdatedBy(patch, base)), ...patch };
  merged.country_name = merged.country === null ? null : countryName(merged.country);
  if (merged.country !== null) merged.continent = continentOf(merged.country) ?? merged.continent;
  if (patch.city_size == null && ('city_size' in patch || stored === null || placeChanged(stored, merged))) {
    merged.city_size = derivedCitySize(merged);
  }
  if (stored !== null && sameContent(stored, merged)) return { outcome: 'unchanged' };
  if (stored !== null) return { outcome: 'updated', record: { ...merged, updated_at: dateOfChange(stored, now) } };
  const at = updated_at ?? now.toISOString();
  return { outcome: 'created', record: { ...merged, updated_at: at, created_at: created_at ?? at } };
}

/** A patch without the guesses for fields that are known. */
function withoutGuesses({ guessed = [], ...patch }: RecordPatch, base: MediaRecord): Omit<RecordPatch, 'guessed'> {
  // In another city the known region is wrong, so the guess counts.
  const isMoved = patch.city !== undefined && patch.city !== base.city;
  const idle = guessed.filter((key) => isKnown(base[key]) && !(key === 'region' && isMoved));
  for (const key of idle) if (key !== 'id') delete patch[key];
  return patch;
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

function unknown(keys: readonly RecordKey[]): Record<string, null> {
  return Object.fromEntries(keys.map((key) => [key, null]));
}

function placeChanged(stored: MediaRecord, merged: MediaRecord): boolean {
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
