import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GenerationWriter } from '#indexer/syncing/generation-writer.ts';
import { type ProductionTestBackend, productionBackends } from '#test/backends.ts';
import { madeRecord } from '#testing/made-record.ts';

describe.each(productionBackends)('a write that comes after another, $name', ({ open }) => {
  let backend: ProductionTestBackend;
  beforeEach(async () => {
    backend = await open();
  });
  afterEach(() => backend.close());

  /** Writes a record that has a dead letter, and waits until it is searchable. */
  async function writeMended(after: Promise<void>): Promise<{ ended: Promise<void> }> {
    const { records, syncDeps, index } = backend;
    await records.merge([madeRecord({ id: 'a', name: 'Mended' })]);
    await syncDeps.deadLetters.save([{ id: 'a', reason: 'no name' }], new Date());
    const served = await syncDeps.generations.findLive();
    const writer = await GenerationWriter.open(syncDeps, served?.index ?? '');
    const { version } = await syncDeps.source.now();
    const prepared = writer.prepareStates(new Map([['a', version]]), await syncDeps.source.read(['a']));
    const ended = writer.write(prepared, undefined, after);
    ended.catch(() => {});
    const nameFound = async () => {
      // By itself Elasticsearch shows it every five seconds only.
      await syncDeps.generations.refresh(writer.index);
      return (await index.find('a', 'masked'))?.name;
    };
    await expect.poll(nameFound).toBe('Mended');
    return { ended };
  }

  it('may be found before it, but reports dead letters only after it', async () => {
    const other = Promise.withResolvers<void>();
    const { ended } = await writeMended(other.promise);
    expect(await backend.syncDeps.deadLetters.count()).toBe(1);
    other.resolve();
    await ended;
    expect(await backend.syncDeps.deadLetters.count()).toBe(0);
  });

  it('is done only when everything before it is stored', async () => {
    const other = Promise.withResolvers<void>();
    const { ended } = await writeMended(other.promise);
    other.reject(new Error('the one before'));
    await expect(ended).rejects.toThrow('the one before');
    expect(await backend.syncDeps.deadLetters.count()).toBe(1);
  });
});
