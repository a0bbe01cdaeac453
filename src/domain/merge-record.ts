import { cityPopulation } from './city-populations.ts';
import { continentOf, countryName } from './countries.ts';
import { emptyRecord, type MediaRecord, type RecordPatch } from './media-record.ts';
import { citySizeOf } from './vocabularies.ts';

/**
 * The record that results from a patch, or `null` where nothing changes. A key that the patch lacks keeps what is
 * stored. country_name and continent follow from the country, city_size from the city where the patch has none.
 * `updated_at` becomes `now` on a change, unless the patch says it.
 *
 * @throws RangeError when a new record lacks kind or name; importers refuse such a patch beforehand.
 */
export function mergeRecord(stored: MediaRecord | null, patch: RecordPatch, now: Date): MediaRecord | null {
  const merged = { ...(stored ?? newRecord(patch)), ...patch };
  merged.country_name = merged.country === null ? null : countryName(merged.country);
  if (merged.country !== null) merged.continent = continentOf(merged.country) ?? merged.continent;
  if (patch.city_size == null && ('city_size' in patch || stored === null || placeChanged(stored, merged))) {
    merged.city_size = derivedCitySize(merged);
  }
  if (stored !== null && sameContent(stored, merged)) return null;
  merged.updated_at = patch.updated_at ?? now.toISOString();
  return merged;
}

function newRecord(patch: RecordPatch): MediaRecord {
  if (!patch.kind || !patch.name) throw new RangeError('a new record needs a kind and a name');
  return emptyRecord(patch.id, patch.kind, patch.name);
}

function placeChanged(stored: MediaRecord, merged: MediaRecord): boolean {
  return stored.city !== merged.city || stored.region !== merged.region || stored.country !== merged.country;
}

function derivedCitySize({ city, region, country }: MediaRecord) {
  const population = city === null ? null : cityPopulation(city, region, country);
  return population === null ? null : citySizeOf(population);
}

function sameContent(stored: MediaRecord, merged: MediaRecord): boolean {
  return JSON.stringify(stored) === JSON.stringify(merged);
}
