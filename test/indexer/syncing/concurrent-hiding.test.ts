import { beforeEach, describe, expect, it, vi } from 'vitest';
import { hideRecords, unsuppressRecords } from '#indexer/syncing/suppress-records.ts';
import { suppressionKey } from '#records/suppression.ts';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useOne } from '#testing/use.ts';

const ids = ['a', 'b', 'c'];
const suppressionOf = (id: string) => ({
  key: suppressionKey('record', id),
  reason: null,
  addedAt: new Date().toISOString(),
});

describe.skipIf(!hasEngines)('hiding records while others write', () => {
  const production = useOne(openOnEngines, ({ records }) => records.merge(ids.map((id) => madeRecord({ id }))));
  beforeEach(async () => {
    await production.suppressions.remove(ids.map((id) => suppressionKey('record', id)));
    await production.reindex(true);
  });

  it('hides in an index that becomes live while the others are searched', async () => {
    const { generations, source, suppressions } = production.syncDeps;
    const built = await generations.create(new Date());
    const { version } = await source.now();
    const filled = ids.map((id) => generations.prepare({ id, version, record: madeRecord({ id }) }));
    await generations.write(built, filled);
    await generations.finish(built);
    await suppressions.add([suppressionOf('b')]);
    const list = generations.list.bind(generations);
    vi.spyOn(generations, 'list').mockImplementationOnce(async () => {
      const listed = await list();
      await generations.publish(built);
      return listed.filter((index) => index !== built);
    });
    expect(await hideRecords(production.syncDeps, [suppressionKey('record', 'b')])).toEqual(new Set(['b']));
    expect(await production.found()).toEqual(['a', 'c']);
  });

  it('keeps a record hidden that is suppressed while another suppression of it is taken back', async () => {
    const { source, suppressions } = production.syncDeps;
    await production.records.merge([madeRecord({ id: 'b', url: 'https://press.example' })]);
    await production.reindex();
    const ofDomain = { ...suppressionOf('b'), key: suppressionKey('domain', 'press.example') };
    await suppressions.add([ofDomain]);
    await hideRecords(production.syncDeps, [ofDomain.key]);
    const readRange = source.readRange.bind(source);
    vi.spyOn(source, 'readRange').mockImplementationOnce(async (...range) => {
      const states = await readRange(...range);
      await suppressions.add([suppressionOf('b')]);
      await hideRecords(production.syncDeps, [suppressionKey('record', 'b')]);
      return states;
    });
    expect(await production.found()).toEqual(['a', 'c']);
    await unsuppressRecords(production.syncDeps, [ofDomain.key]);
    expect(await production.found()).toEqual(['a', 'c']);
  });
});
