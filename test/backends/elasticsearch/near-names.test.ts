import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordsMapping } from '#backends/elasticsearch/index-document.ts';
import { renderCondition } from '#backends/elasticsearch/render-text-query.ts';
import { Dice } from '#sample/dice.ts';
import { piecesOf } from '#search/name-pieces.ts';
import { engines } from '#test/engines.ts';
import { countEdits } from '#text/edit-distance.ts';

const url = engines.elasticsearch;
const dice = new Dice(1);
const word = (length: number) => Array.from({ length }, () => dice.pick([...'abcж'])).join('');
const names = [...new Set(Array.from({ length: 400 }, () => `a${word(4 + dice.below(8))}`)), 'ab', 'bcabcabc'];

describe.skipIf(url === null)('near names in Elasticsearch', () => {
  const index = `masthead-near-${randomUUID().slice(0, 8)}`;
  let client: Client;
  beforeAll(async () => {
    client = new Client({ node: url ?? '' });
    await client.indices.create({ index, ...recordsMapping } as Parameters<typeof client.indices.create>[0]);
    const operations = names.flatMap((name) => [
      { index: { _id: name } },
      { find: { compact_names: [name], name_pieces: piecesOf(name) } },
    ]);
    await client.bulk({ index, operations, refresh: true });
  });
  afterAll(async () => {
    await client.indices.delete({ index });
    await client.close();
  });

  it.each([1, 2])('are those within %i edits with the same first letter, whatever pieces they share', async (edits) => {
    for (let length = 5; length < 12; length += 1) {
      const typed = `a${word(length)}`;
      const query = renderCondition({ is: 'nearName', name: typed, edits, letters: null });
      const { hits } = await client.search({ index, query, size: names.length });
      const near = names.filter((name) => name.startsWith('a') && countEdits(typed, name, edits) <= edits);
      expect(hits.hits.map(({ _id }) => _id).sort(), typed).toEqual(near.sort());
    }
  });
});
