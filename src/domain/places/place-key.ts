import type { MediaRecord } from '#domain/media-record.ts';
import { namesOfCity } from './city-names.ts';
import { namesOfRegion } from './regions.ts';

/** The form in which two places are compared: equal where only their spelling differs (TX, Texas; Munich, München). */
export function placeKey({ country, region, city }: Pick<MediaRecord, 'country' | 'region' | 'city'>): string {
  const [regionKey = ''] = region === null ? [] : namesOfRegion(region, country);
  // The other spelling of an umlaut comes second, so the first in the alphabet is the same for both.
  const [cityKey = ''] = city === null ? [] : namesOfCity(city, country).toSorted();
  return JSON.stringify([country, regionKey, cityKey]);
}
