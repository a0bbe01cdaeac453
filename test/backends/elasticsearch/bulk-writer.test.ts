import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BulkWriter } from '#backends/elasticsearch/bulk-writer.ts';
import { engines } from '#testing/engines.ts';

const url = engines.elasticsearch;

describe.skipIf(url === null)('bulk writing documents', () => {
  const alias = `masthead-bulk-${randomUUID().slice(0, 8)}`;
  const index = `${alias}-1`;
  const missing = `${alias}-missing`;
  let client: Client;
  let writer: BulkWriter;
  beforeEach(async () => {
    client = new Client({ node: url ?? '' });
    writer = new BulkWriter(client);
    await client.indices.create({
      index,
      aliases: { [alias]: {} },
      settings: { number_of_replicas: 0 },
      mappings: { properties: { audience: { type: 'long' }, name: { type: 'keyword' } } },
    });
  });
  afterEach(async () => {
    await client.indices.delete({ index: [index, missing], ignore_unavailable: true });
    await client.close();
  });

  const change = (version: bigint, document: object, place = alias) => ({
    record: 'post',
    alias: place,
    id: 'the-post',
    version,
    document: Buffer.from(`${JSON.stringify(document)}\n`),
  });
  async function stored() {
    await client.indices.refresh({ index });
    const { hits } = await client.search({ index, version: true });
    return hits.hits.map(({ _version, _source }) => ({ version: _version, document: _source }));
  }

  it('rewrites a document under its version, but never under an earlier one', async () => {
    for (const [version, name] of [
      [5n, 'first'],
      [5n, 'again'],
    ] as const) {
      expect(await writer.write([change(version, { name })])).toEqual({ refused: [], outdated: [] });
    }
    const earlier = change(4n, { name: 'earlier' });
    expect(await writer.write([earlier])).toEqual({ refused: [], outdated: [earlier] });
    expect(await stored()).toEqual([{ version: 5, document: { name: 'again' } }]);
  });

  it('creates no index when the alias is missing, and rejects', async () => {
    await expect(writer.write([change(1n, { name: 'lost' }, missing)])).rejects.toThrow();
    expect(await client.indices.exists({ index: missing })).toBe(false);
  });

  it('names the field of a refused document without quoting its value', async () => {
    const { refused } = await writer.write([change(1n, { audience: 'jane@example.org' })]);
    expect(refused).toEqual([{ id: 'post', reason: 'Elasticsearch: document_parsing_exception in audience' }]);
    expect(await stored()).toEqual([]);
  });
});
