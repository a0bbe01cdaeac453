import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { aliasOfForm, type IndexLayout } from '#backends/elasticsearch/alias-generations.ts';
import { connectCluster } from '#backends/elasticsearch/connect-elasticsearch.ts';
import { KnownTerms } from '#backends/elasticsearch/known-terms.ts';
import { type ElasticsearchBackend, openElasticsearch } from '#backends/elasticsearch/open-elasticsearch.ts';
import { nothing, rendererOf } from '#backends/elasticsearch/render-text-query.ts';
import { type Condition, contactWith, phrase, type Scope, wordIn } from '#search/conditions/conditions.ts';
import { embedText, type Meaning } from '#search/meaning/embed.ts';
import { understand } from '#search/understanding/understand.ts';
import { engines } from '#testing/engines.ts';
import { madeContact } from '#testing/made-contact.ts';
import { madeRecord } from '#testing/made-record.ts';
import { page } from '../../support/embedded-store.ts';

const url = engines.elasticsearch;
const alias = `masthead-layout-${randomUUID().slice(0, 8)}`;
const names = Array.from({ length: 50 }, (_, place) => `Alpha Post ${place}`);
const records = names.map((name, place) => madeRecord({ id: `id-${place}`, name }));

/** Builds an index of a few records and makes it searchable; returns its name. */
async function build({ generations }: ElasticsearchBackend, held = records): Promise<string> {
  const index = await generations.create(new Date());
  await generations.linkMeanings(index, held.length);
  const changes = held.map((record) => generations.prepare({ id: record.id, version: 1n, record }));
  await generations.write(index, changes);
  await generations.finish(index);
  await generations.publish(index);
  return index;
}

describe.skipIf(url === null)('the layout of an index', () => {
  const open = (layout?: IndexLayout) =>
    openElasticsearch({ address: { nodes: [url ?? ''] }, alias, layout, logLine: () => {} });
  const client = new Client({ node: url ?? 'http://127.0.0.1' });
  let backend: ElasticsearchBackend;
  afterEach(async () => {
    for (const index of await backend.generations.list()) await backend.generations.remove(index);
    await backend.close();
  });
  afterAll(() => client.close());

  async function settingsOf(index: string) {
    const { number_of_shards, number_of_replicas, auto_expand_replicas } =
      (await client.indices.getSettings({ index, flat_settings: false }))[index]?.settings?.index ?? {};
    return { number_of_shards, number_of_replicas, auto_expand_replicas };
  }

  it('has the configured number of shards and replicas', async () => {
    backend = await open({ shards: 3, replicas: '2' });
    expect(await settingsOf(await build(backend))).toMatchObject({ number_of_shards: '3', number_of_replicas: '2' });
  });

  it('by default has one shard, and one replica if there is a second node', async () => {
    backend = await open();
    const settings = await settingsOf(await build(backend));
    expect(settings).toEqual({ number_of_shards: '1', number_of_replicas: '0', auto_expand_replicas: '0-1' });
  });

  it('finds, counts and scans the same records', async () => {
    backend = await open({ shards: 3, replicas: '0' });
    await build(backend);
    const query = { text: understand('alpha'), filters: [] };
    const { records, total } = await backend.index.search(query, page, 'masked');
    expect({ total, names: records.map(({ name }) => name).toSorted() }).toEqual({
      total: names.length,
      names: names.toSorted(),
    });
    expect((await backend.index.countFacets(query)).total).toBe(names.length);
    const scan = await backend.index.scan(query);
    const scanned = (await Array.fromAsync(scan)).flat().map(({ name }) => name);
    expect(scanned.toSorted()).toEqual(names.toSorted());
  });

  it('has a graph of meanings if it is large, in which records that mean the same hide no other', async () => {
    backend = await open({ shards: 1, replicas: '0', exactUpTo: 1_000 });
    const topics = ['chess', 'gardening', 'opera', 'cycling', 'astronomy', 'surgery', 'poetry'];
    const index = await build(backend, [
      ...Array.from({ length: 1_500 }, (_, place) => madeRecord({ id: `${place}`, name: `Town ${place} News` })),
      ...topics.map((topic) => madeRecord({ id: topic, name: 'Weekly', description: `All about ${topic}.` })),
    ]);
    expect(JSON.stringify(await client.indices.getMapping({ index }))).toContain('hnsw');
    const nearest = await Promise.all(
      topics.map((topic) => backend.index.findNearest(embedText(topic) as Meaning, [], 10)),
    );
    expect(topics.filter((topic, place) => !nearest[place]?.some(({ id }) => id === topic))).toEqual([]);
  });

  it('tells what the index has of what was typed, also of what comes later and of another index', async () => {
    backend = await open();
    const cluster = connectCluster({ nodes: [url ?? ''] });
    const known = new KnownTerms(cluster, aliasOfForm(alias));
    const render = async (condition: Condition, of = known) =>
      rendererOf(await vi.waitUntil(() => of.read(), { timeout: 60_000 }))(condition);
    const named = (key: string, edits: 0 | 1 | 2 = 1) => render({ is: 'name', form: 'compact', keys: [key], edits });
    const near = (word: string, scope: Scope) => ({ ...wordIn(word, scope), edits: 1 }) as Condition;
    const names = (...tokens: string[]) => ({ terms: { 'find.name_keys': tokens } });
    const index = await build(backend);
    await expect.poll(() => named('alpahpost12')).toEqual(names('_calphapost12'));
    expect((await named('alphapst1', 2)).terms?.['find.name_keys']).toHaveLength(23);
    expect(await named('alpahpost12', 0)).toBe(nothing);
    expect(await render(phrase(['alpha', 'gamma'], 'names'))).toBe(nothing);
    expect(await render(wordIn('po', 'anywhere', true))).toEqual({ terms: { 'find.words': ['post'] } });
    expect(await render(wordIn('post', 'traits'))).toEqual({ terms: { 'find.names': ['post'] } });
    const contacts = [madeContact({ id: 'c', kind: 'person', name: 'Ann Whitfield' })];
    const description = [...'0123456789abcdefghijklmnopqrs'].map((last) => `pos${last}`).join(' ');
    const later = madeRecord({ id: 'later', name: 'Beta Post', description, contacts });
    await backend.generations.write(index, [backend.generations.prepare({ id: 'later', version: 2n, record: later })]);
    await backend.generations.refresh(index);
    await expect.poll(() => named('betapots')).toEqual(names('_cbetapost'));
    const ofPerson = contactWith(near('whitfeild', 'people'));
    expect(JSON.stringify(await render(ofPerson))).toContain('{"contacts.people":["whitfield"]}');
    // A process that starts now reads the same from the engine's lists, with the counts that choose among many near words.
    const started = new KnownTerms(cluster, aliasOfForm(alias));
    expect(JSON.stringify(await render(near('posx', 'anywhere'), started))).toContain('"post"');
    for (const asked of [near('posx', 'anywhere'), near('beto', 'traits'), wordIn('pos', 'anywhere', true), ofPerson]) {
      expect(await render(asked, started)).toEqual(await render(asked));
    }
    await build(backend, [madeRecord({ id: 'other', name: 'Gamma Post' })]);
    await expect.poll(() => named('gamapost')).toEqual(names('_cgammapost'));
    expect(await named('betapots')).toBe(nothing);
    await cluster.client.close();
  });
});
