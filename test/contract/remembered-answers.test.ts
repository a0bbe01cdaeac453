import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { connectCluster } from '#backends/elasticsearch/connect-elasticsearch.ts';
import { ElasticsearchSearchIndex } from '#backends/elasticsearch/elasticsearch-search-index.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { type PlannedQuery, planStrict } from '#search/plans/plan-query.ts';
import { rememberAnswers } from '#search/remembered-answers.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { firstPage, type SearchQuery, type Understanding } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { createMetrics, observeIndex } from '#src/metrics/metrics.ts';
import { type TestBackend, testBackends } from '#testing/backends.ts';
import { engines } from '#testing/engines.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';
import { withMethods } from '#text/with-methods.ts';

const page = firstPage(100);
const byText: SearchQuery = { text: understand('herald'), filters: [] };
const contactsByText: SearchQuery = { ...byText, rows: 'contacts' };

const alpha = madeRecord({ id: 'alpha', name: 'Alpha Herald', email: 'jane@alpha.example', country: 'FR' });
const beta = madeRecord({ id: 'beta', name: 'Beta Herald', email: 'joe@beta.example', country: 'FR' });

/**
 * The index as another process opens it. On Elasticsearch, it believes a version at once, because there is only one copy, and waits for it
 * for as long as a busy engine takes.
 */
function openIndex(backend: TestBackend): SearchIndex {
  if (!('alias' in backend)) return backend.index;
  const cluster = connectCluster({ nodes: (engines.elasticsearch ?? '').split(',') });
  const index = new ElasticsearchSearchIndex(cluster, String(backend.alias), 0);
  return withMethods(index, {
    async version(rows) {
      for (;;) {
        const version = await index.version(rows);
        if (version !== null) return version;
        await turn();
      }
    },
  });
}

describe.each(testBackends)('answers from memory, $name', ({ open }) => {
  const backend = useOne(open);
  beforeEach(async () => {
    for await (const batch of backend.records.readAll()) await backend.records.remove(batch.map(({ id }) => id));
    await backend.load([alpha, beta]);
  });

  function remember(opened = openIndex(backend)) {
    const metrics = createMetrics();
    const index = rememberAnswers(observeIndex(opened, metrics));
    const names = (records: readonly MediaRecord[]) => records.map((record) => record.name).toSorted();
    return {
      index,
      /** What all kinds of answers tell. */
      async ask() {
        const [text, contacts, facets, [first]] = await Promise.all([
          index.search(byText, page, 'masked'),
          index.search(contactsByText, page, 'masked'),
          index.countFacets(byText),
          index.findFirst([planStrict(understand('herald') as Understanding) as PlannedQuery], [], 'masked'),
        ]);
        expect([text.total, facets.total, first?.total]).toEqual(Array(3).fill(text.records.length));
        const countries = facets.counts.country.map(({ value, count }) => `${value} ${count}`);
        const addresses = contacts.records.flatMap(({ contacts: [contact] }) => contact?.email ?? []);
        return [...names(text.records), ...addresses.toSorted(), ...countries];
      },
      /** How many questions the engine was asked. */
      async asked(): Promise<number> {
        const { values } = await metrics.engineSeconds.get();
        return values.reduce((sum, { metricName, value }) => sum + (metricName?.endsWith('_count') ? value : 0), 0);
      },
    };
  }

  const both = ['Alpha Herald', 'Beta Herald', 'j***@alpha.example', 'j***@beta.example', 'FR 2'];

  it('a question is asked of the engine once, alone and by several at once', async () => {
    const { index, ask, asked } = remember();
    expect(await ask()).toEqual(both);
    expect(await asked()).toBe(4);
    expect(await Promise.all([ask(), ask()])).toEqual([both, both]);
    expect(await asked()).toBe(4);
    await Promise.all([0, 1].map(() => index.search(byText, firstPage(1), 'masked')));
    expect(await asked()).toBe(5);
  });

  it('none is given while nobody knows whether the index has changed, and all if it has not', async () => {
    const index = openIndex(backend);
    let isKnown = true;
    const version: SearchIndex['version'] = async (rows) => (isKnown ? index.version(rows) : null);
    const { ask, asked } = remember(withMethods(index, { version }));
    await ask();
    isKnown = false;
    await ask();
    expect(await asked()).toBe(8);
    isKnown = true;
    expect(await ask()).toEqual(both);
    expect(await asked()).toBe(8);
  });

  it('the answer to another question is never given', async () => {
    const { index, ask } = remember();
    await ask();
    const { records: full } = await index.search(byText, page, 'full');
    expect(full.map(({ email }) => email).toSorted()).toEqual(['jane@alpha.example', 'joe@beta.example']);
    expect((await index.search(byText, { ...page, offset: 1 }, 'masked')).records).toHaveLength(1);
    const sorted = async (reversed: boolean) => {
      const { records } = await index.search(byText, { ...page, sort: { key: 'name', reversed } }, 'masked');
      return records.map(({ id }) => id).join(' ');
    };
    expect([await sorted(false), await sorted(true)]).toEqual(['alpha beta', 'beta alpha']);
    const [contact] = alpha.contacts;
    const listedContacts = new Map([
      ['alpha', new Set([contact?.id ?? ''])],
      ['beta', new Set<string>()],
    ]);
    expect((await index.search({ ...contactsByText, listedContacts }, page, 'masked')).total).toBe(1);
    const unlistedContacts = new Map([['alpha', new Set([contact?.id ?? ''])]]);
    expect((await index.search({ ...contactsByText, unlistedContacts }, page, 'masked')).total).toBe(1);
    expect((await index.countFacets(byText, { audiences: true })).audiences).toBeDefined();
  });

  it('none outlives the index that it came from', async () => {
    const { index } = remember();
    const masks = async () => (await index.search(byText, page, 'masked')).records.map(({ email }) => email).toSorted();
    expect(await masks()).toEqual(['j***@alpha.example', 'j***@beta.example']);
    // What another program does to the index, and a rebuild takes back.
    await backend.replaceMasks('x***@any.example');
    expect(await masks()).toEqual(['x***@any.example', 'x***@any.example']);
    await backend.maintenance.rebuild({ allowsShrink: true });
    expect(await masks()).toEqual(['j***@alpha.example', 'j***@beta.example']);
  });

  const suppressing = async (key: string | null, work: () => Promise<unknown>) => {
    const suppression = { key: key ?? '', reason: null, addedAt: new Date().toISOString() };
    await backend.maintenance.suppress([suppression]);
    await work();
    await backend.maintenance.unsuppress([suppression.key]);
  };

  it('none outlives a change', async () => {
    const { ask, asked } = remember();
    const expectAnswer = async (...answer: string[]) => {
      expect(await ask()).toEqual(answer);
      const count = await asked();
      expect(await ask()).toEqual(answer);
      // So before each of these changes, the answers were in memory.
      expect(await asked()).toBe(count);
    };
    await expectAnswer(...both);
    await backend.load([madeRecord({ ...alpha, country: 'BE' })]);
    await expectAnswer(...both.slice(0, 4), 'BE 1', 'FR 1');
    await suppressing(suppressionKey('record', 'alpha'), () =>
      expectAnswer('Beta Herald', 'j***@beta.example', 'FR 1'),
    );
    await suppressing(suppressionKey('address', 'joe@beta.example'), () =>
      expectAnswer('Alpha Herald', 'Beta Herald', 'j***@alpha.example', 'BE 1', 'FR 1'),
    );
    await expectAnswer(...both.slice(0, 4), 'BE 1', 'FR 1');
    await backend.changes.begin({
      id: 'set',
      action: 'merge',
      operator: 'ada',
      startedAt: alpha.updated_at,
      undoes: null,
    });
    await backend.records.mergeDuplicates('beta', ['alpha'], 'set');
    await backend.settle();
    await expectAnswer('Beta Herald', 'j***@alpha.example', 'j***@beta.example', 'FR 1');
    await backend.records.remove(['beta']);
    await backend.settle();
    await expectAnswer();
  });
});
