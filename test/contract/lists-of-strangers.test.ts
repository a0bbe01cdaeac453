import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { urlKey } from '#records/normalize/normalize-url.ts';
import { Dice } from '#sample/dice.ts';
import { testStores } from '#testing/backends.ts';
import { ofForm } from '#testing/form.ts';
import { nameKey } from '#text/fold.ts';
import { ListImporter, type MadeRow, writeList } from './list-importer.ts';

/** How many lists are imported together. */
const listsAtOnce = ofForm(40, 100);

describe.each(testStores)('lists of strangers, $name', ({ open }) => {
  it('go in whole: no name disappears, and neither order nor another import changes that', async () => {
    const stores = await open();
    const importer = await ListImporter.open(stores);
    for (let first = 1; first <= ofForm(40, 2_000); first += listsAtOnce) {
      const isCsv = (first / listsAtOnce) % 2 < 1;
      for (const isSteady of [false, true]) {
        const lists = Array.from({ length: listsAtOnce }, (_, place) => drawList(first + place, isSteady));
        await checkLists(importer, lists, { isCsv, isSteady });
      }
    }
    await importer.close();
    await stores.close();
  }, 300_000);
});

/** Imports lists in every way, and checks what must hold of all of them. */
async function checkLists(
  importer: ListImporter,
  lists: readonly MadeList[],
  { isCsv, isSteady }: { isCsv: boolean; isSteady: boolean },
): Promise<void> {
  const rows = lists.flatMap((list) => list.rows);
  const names = new Set(lists.flatMap((list) => [...list.names]));
  const wholes = [1, 2].map((order) => [[writeList(shuffled(rows, new Dice(order)), isCsv)]]);
  const dice = new Dice(rows.length);
  const parts: MadeRow[][] = [[], [], []];
  for (const row of rows) parts[dice.below(3)]?.push(row);
  const files = parts.map((part) => writeList(part, isCsv));
  // A medium of several pages or places is as many records as its parts say.
  const ways = isSteady ? [...wholes, [files], files.map((file) => [file])] : wholes;
  const outcomes: string[][] = [];
  for (const imports of ways) {
    await importer.clear();
    const run = async () => {
      const sum = { created: 0, updated: 0 };
      for (const files of imports) {
        const { created, updated } = await importer.import(...files);
        sum.created += created;
        sum.updated += updated;
      }
      return sum;
    };
    const { created } = await run();
    const records = await importer.readAll();
    const isWhole = wholes.includes(imports);
    // Later files may unite records of earlier ones.
    if (isWhole) expect(records).toHaveLength(created);
    expect(new Set(records.map(nameOf))).toEqual(names);
    outcomes.push(records.map(isSteady ? describeRecord : nameOf).sort());
    const again = await run();
    expect(again.created).toBe(0);
    if (!isWhole) continue;
    expect(again.updated).toBe(0);
    expect(await importer.readAll()).toEqual(records);
  }
  for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
}

const nameOf = ({ kind, name }: MediaRecord) => `${kind} ${nameKey(name)}`;

function describeRecord(record: MediaRecord): string {
  const page = (url: string | null) => (url === null ? '-' : urlKey(url));
  return [nameOf(record), page(record.url), page(record.feed_url)].join(' ');
}

/** The media of a made list, and rows that say parts of what is true of them. */
interface MadeList {
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
function drawList(seed: number, isSteady: boolean): MadeList {
  const dice = new Dice(seed);
  const towns = [{}, { country: 'US', region: 'TX', city: 'Paris' }, { country: 'FR', city: 'Paris' }];
  const media = Array.from({ length: 1 + dice.below(6) }, (_, place) => ({
    kind: dice.pick(['outlet', 'outlet', 'podcast']),
    name: dice.pick(['Écho', 'The Herald', 'News & Views']),
    // Steady media share no address under one name; others may, and then are one.
    url: `h${dice.below(2)}.s${seed}.example${isSteady ? `/m${place}` : dice.pick(letters)}`,
    feed: `h${dice.below(2)}.s${seed}.example/feed${isSteady ? place : dice.below(3)}`,
    town: dice.pick(towns),
  }));
  const rows = Array.from({ length: 2 + dice.below(11) }, () => {
    const { kind, name, url, feed, town } = dice.pick(media);
    const row: MadeRow = { kind, name: spelled(`${name} ${seed}`, dice.below(3)) };
    if (dice.below(3) > 0) row.url = dice.pick(['https://', 'http://www.', '']) + url + dice.pick(['', '/']);
    if (dice.below(2) > 0) row.feed_url = `https://${feed}`;
    Object.assign(row, isSteady ? town : dice.pick(towns));
    if (dice.below(2) > 0) row.description = `Text ${dice.below(3)}`;
    return row;
  });
  const names = new Set(rows.map(({ kind, name }) => `${kind} ${nameKey(name ?? '')}`));
  return { rows, names };
}

function spelled(name: string, way: number): string {
  return [name, name.toUpperCase(), name.replace('É', 'e')][way] as string;
}

function shuffled<Item>(items: readonly Item[], dice: Dice): Item[] {
  return items
    .map((item) => ({ item, at: dice.below(1_000_000) }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}
