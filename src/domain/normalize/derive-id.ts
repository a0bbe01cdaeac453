import { hash } from 'node:crypto';
import type { MediaRecord } from '#domain/media-record.ts';
import { nameKey } from '#domain/search/fold.ts';
import { urlKey } from './normalize-url.ts';

/** The prefix of ids that the importer derives. */
const prefix = 'auto-';

/** What identifies a record whose source gives no id. */
export type IdentifyingPart = Pick<MediaRecord, 'kind'> & {
  [Key in 'url' | 'name' | 'country' | 'region' | 'city']: MediaRecord[Key] | undefined;
};

/**
 * An id that stays the same whenever the same record comes without one: from kind and URL (ignoring scheme, `www.` and
 * trailing slash), else from kind, name and place (ignoring case and accents); null without URL and name. 64 bits:
 * among ten million records, the chance of a collision is 1 in 300,000.
 */
export function deriveId({ kind, url, name, country, region, city }: IdentifyingPart): string | null {
  if (url) return idOf([kind, urlKey(url)]);
  if (!name) return null;
  return idOf([kind, nameKey(name), country ?? '', nameKey(region ?? ''), nameKey(city ?? '')]);
}

function idOf(parts: readonly string[]): string {
  return prefix + hash('sha256', parts.join('\n')).slice(0, 16);
}
