import { expect, test } from 'vitest';
import { findDuplicates } from '../../indexer/records/find-duplicates.ts';
import type { MediaRecord } from '../../src/records/media-record.ts';
import { Dice } from '../../src/sample/dice.ts';
import { generateSample } from '../../src/sample/generate-sample.ts';
import { mistype, replaceLetter } from '../relevance/mistype.ts';

const copyOf = (id: string) => `copy-of-${id}`;
const isCopy = (id: string) => id.startsWith(copyOf(''));

test('nearly every copy with another spelling is found, and few other pairs are proposed', async () => {
  const dice = new Dice(1);
  async function* withCopies() {
    for (const [place, record] of [...generateSample({ count: 8_000 })].entries()) {
      yield place % 4 === 0 ? [record, dirtyCopy(record, dice)] : [record];
    }
  }
  const [found, ofOriginals] = [new Set<string>(), new Set<string>()];
  for (const { keep, drop } of (await findDuplicates(withCopies())).groups) {
    const ids = new Set([keep.id, ...drop.map(({ record }) => record.id)]);
    for (const id of ids) if (ids.has(copyOf(id))) found.add(id);
    for (const { record, like } of drop) if (!isCopy(record.id) && !isCopy(like)) ofOriginals.add(record.id);
  }
  expect(found.size / 2_000).toBeGreaterThan(0.95);
  // A few generated media have the same name and site by chance.
  expect(ofOriginals.size).toBeLessThan(80);
});

/** Ways in which another source may write a name or a URL. Null if one does not apply to a record. */
type Dirt = (record: MediaRecord, dice: Dice) => string | null;

const dirtOfNames: readonly Dirt[] = [
  ({ name }, dice) => dice.pick([name.toUpperCase(), name.toLowerCase()]),
  ({ name }) => (/^the /i.test(name) ? name.slice(4) : `The ${name}`),
  ({ name }, dice) => dice.pick([mistype, replaceLetter])(name, dice.below(1_000_000)),
  ({ name, city }) => city && `${name} ${city}`,
];
const dirtOfUrls: readonly Dirt[] = [
  ({ url }) => {
    const other = url?.includes('://www.') ? url.replace('://www.', '://') : url?.replace('://', '://www.');
    // An IP address has no `www.`.
    return other !== undefined && URL.canParse(other) ? other : null;
  },
  ({ url }) => url && (url.startsWith('https') ? url.replace('https', 'http') : url.replace('http', 'https')),
  ({ url }) => url && (url.endsWith('/') ? url.slice(0, -1) : `${url}/`),
];

/** A copy as another source may have it: with another id, written differently, and without an alias, feed or address. */
function dirtyCopy(record: MediaRecord, dice: Dice): MediaRecord {
  const change = (ways: readonly Dirt[]) => {
    const values = ways.map((way) => way(record, dice)).filter((value) => value !== null);
    return values.length === 0 ? null : dice.pick(values);
  };
  const name = change(dirtOfNames) ?? record.name;
  const url = change(dirtOfUrls) ?? record.url;
  const hidden = { aliases: [], feed_url: null, email: null, email_source: null };
  return { ...record, id: copyOf(record.id), name, url, ...hidden };
}
