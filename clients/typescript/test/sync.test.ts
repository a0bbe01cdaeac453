import { describe, expect, it } from 'vitest';
import { runService } from '../../../test/http/run-service.ts';
import { openEmbeddedForTest } from '../../../test/support/backends.ts';
import { madeRecord } from '../../../test/support/made-record.ts';
import { useOne } from '../../../test/support/use.ts';
import { createMasthead } from '../src/index.ts';
import { failureOf } from './outcomes.ts';

const outlets = Array.from({ length: 12 }, (_, place) => madeRecord({ id: `outlet-${place}` }));

describe('sync of the TypeScript client', () => {
  const backend = useOne(openEmbeddedForTest, (backend) =>
    backend.load([...outlets, madeRecord({ id: 'pod', kind: 'podcast' })]),
  );
  const service = useOne(() => runService(backend));

  /** A copy in memory, which fails at one record if it is told to. */
  function makeCopy() {
    const held = new Map<string, object>([['of-yesterday', {}]]);
    const state = { cursor: null as string | null, failsAt: '' };
    const copy = {
      readCursor: () => state.cursor,
      saveCursor(cursor: string) {
        state.cursor = cursor;
      },
      upsert(record: { id: string }) {
        if (record.id === state.failsAt) throw new Error('the table is locked');
        held.set(record.id, record);
      },
      remove: (id: string) => held.delete(id),
      listIds: () => [...held.keys()],
    };
    return { copy, held, state };
  }

  it('reads everything, then what changed, and deletes what is gone; a run that failed can be repeated', async () => {
    const masthead = createMasthead({ baseUrl: service.url, apiKey: await service.issueKey('premium') });
    const { copy, held, state } = makeCopy();
    const sync = () => masthead.sync(copy, { kind: 'outlet', fields: ['city'] });
    expect(await sync()).toEqual({ isWhole: true, upserted: 12, removed: 1 });
    expect([...held.keys()].toSorted()).toEqual(outlets.map(({ id }) => id).toSorted());

    await backend.records.merge([
      { id: 'outlet-1', city: 'Leeds' },
      { id: 'outlet-2', city: 'York' },
      { id: 'pod', city: 'Hull' },
    ]);
    await backend.records.remove(['outlet-3']);
    state.failsAt = 'outlet-2';
    expect(await failureOf(sync())).toMatchObject({ message: 'the table is locked' });
    state.failsAt = '';
    expect(await sync()).toEqual({ isWhole: false, upserted: 2, removed: 1 });
    expect(held.get('outlet-2')).toEqual({ id: 'outlet-2', city: 'York' });
    expect(held.has('outlet-3')).toBe(false);
    expect(await sync()).toEqual({ isWhole: false, upserted: 0, removed: 0 });

    state.cursor = Buffer.from('00000000-0000-4000-8000-000000000000 1 1 1').toString('base64url');
    held.set('of-yesterday', {});
    expect(await sync()).toEqual({ isWhole: true, upserted: 11, removed: 1 });
  });
});
