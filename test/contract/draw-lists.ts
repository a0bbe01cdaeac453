import { Dice } from '#sample/dice.ts';
import { nameKey } from '#text/fold.ts';

/** A row of a made list: cells by heading; an absent one is a missing cell. */
export type MadeRow = { [heading: string]: string };

/** The media of a made list, and rows that say parts of what is true of them. */
export interface MadeList {
  rows: MadeRow[];
  /** Kind and folded name of each row, once. */
  names: ReadonlySet<string>;
}

const letters = ['', '', '/a', '/b'];

/**
 * Rows of a few media that are strangers to each other: with equal names, at shared hosts, in equal towns; each row with
 * some cells only. The names of a seed are its own, so that many lists fit in one store.
 *
 * @param isSteady whether a medium has one page, feed and place, so that it is the same however its rows are split
 */
export function drawList(seed: number, isSteady: boolean, order = 0): MadeList {
  const dice = new Dice(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[dice.below(values.length)] as Value;
  const towns = [{}, { country: 'US', region: 'TX', city: 'Paris' }, { country: 'FR', city: 'Paris' }];
  const media = Array.from({ length: 1 + dice.below(6) }, (_, place) => ({
    kind: pick(['outlet', 'outlet', 'podcast']),
    name: pick(['Écho', 'The Herald', 'News & Views']),
    // Steady media share no address under one name; others may, and then are one.
    url: `h${dice.below(2)}.s${seed}.example${isSteady ? `/m${place}` : pick(letters)}`,
    feed: `h${dice.below(2)}.s${seed}.example/feed${isSteady ? place : dice.below(3)}`,
    town: pick(towns),
  }));
  const rows = Array.from({ length: 2 + dice.below(11) }, () => {
    const { kind, name, url, feed, town } = pick(media);
    const row: MadeRow = { kind, name: spelled(`${name} ${seed}`, dice.below(3)) };
    if (dice.below(3) > 0) row.url = pick(['https://', 'http://www.', '']) + url + pick(['', '/']);
    if (dice.below(2) > 0) row.feed_url = `https://${feed}`;
    Object.assign(row, isSteady ? town : pick(towns));
    if (dice.below(2) > 0) row.description = `Text ${dice.below(3)}`;
    return row;
  });
  const names = new Set(rows.map(({ kind, name }) => `${kind} ${nameKey(name ?? '')}`));
  return { rows: shuffled(rows, new Dice(seed * 1_000 + order)), names };
}

function spelled(name: string, way: number): string {
  return [name, name.toUpperCase(), name.replace('É', 'e')][way] as string;
}

export function shuffled<Item>(items: readonly Item[], dice: Dice): Item[] {
  return items
    .map((item) => ({ item, at: dice.below(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

/** As NDJSON, where a missing cell is a missing key, or as CSV, where it is empty. */
export function writeList(rows: readonly MadeRow[], isCsv: boolean): string {
  if (!isCsv) return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  const headings = ['kind', 'name', 'url', 'feed_url', 'country', 'region', 'city', 'description'];
  return [headings, ...rows.map((row) => headings.map((heading) => row[heading] ?? ''))]
    .map((cells) => `${cells.join(',')}\n`)
    .join('');
}
