import { Dice } from '../../src/sample/dice.ts';
import type { SearchIndex } from '../../src/search/search-index.ts';
import { everything } from '../../src/search/search-query.ts';
import { nameKey } from '../../src/text/fold.ts';
import type { KnownItem } from './known-item.ts';
import { LastWords } from './last-words.ts';

/** The names of all records. Queries are made from them, and answers are judged by them. */
export interface Names {
  /** The name of each record by its id, in the order of ids. */
  byId: ReadonlyMap<string, string>;
  /** The ids of the records with this name or alias, by nameKey. */
  owners: ReadonlyMap<string, ReadonlySet<string>>;
  lastWords: LastWords;
}

/** The name of the group of queries that are names of records. */
const nameGroup = 'name';

export async function readNames(index: SearchIndex): Promise<Names> {
  const names: [string, string][] = [];
  const owners = new Map<string, Set<string>>();
  const all: string[] = [];
  for await (const records of await index.scan(everything)) {
    for (const { id, name, aliases } of records) {
      names.push([id, name]);
      for (const each of [name, ...aliases]) {
        const key = nameKey(each);
        const ids = owners.get(key) ?? new Set();
        owners.set(key, ids.add(id));
        all.push(each);
      }
    }
  }
  const byId = new Map(names.sort(([a], [b]) => (a < b ? -1 : 1)));
  return { byId, owners, lastWords: new LastWords(all) };
}

/** A random sample of the records, each to be found by its name; the same for the same records and seed. */
export function sampleNames({ byId }: Names, count: number, seed: number): KnownItem[] {
  return sample([...byId], count, seed).map(([id, name]) => ({ query: name, expectedId: id, group: nameGroup }));
}

/** Picks `count` of the items by the seed; all of them if there are fewer. */
export function sample<Item>(items: readonly Item[], count: number, seed: number): Item[] {
  const left = [...items];
  const dice = new Dice(seed);
  return Array.from({ length: Math.min(count, left.length) }, () => {
    const place = dice.below(left.length);
    const picked = left[place] as Item;
    left[place] = left.at(-1) as Item;
    left.pop();
    return picked;
  });
}
