import { describe, expect, it } from 'vitest';
import { undoChanges } from '#indexer/records/undo-changes.ts';
import type { ChangeSet } from '#records/changes/change-set.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { useEach } from '#testing/use.ts';

const place = {
  country: 'US',
  country_name: 'United States',
  continent: 'north_america',
  region: 'California',
} as const;
/** A record as earlier versions read `Fresno, CA`. */
const old = madeRecord({ id: 'a', ...place, city: 'Fresno,', updated_at: '2025-03-01T00:00:00.000Z' });
const imported = {
  id: '1',
  action: 'import',
  operator: 'ada',
  startedAt: '2026-02-01T00:00:00.000Z',
  undoes: null,
} as const;
const repaired = { city: 'Fresno', region: 'California', city_size: 'large' };

describe('a city that an earlier version stored with a comma, embedded', () => {
  const backend = useEach(openEmbeddedForTest);

  it('is repaired by a rebuild, with a new date and no entry in the history, and an import is still undone whole', async () => {
    await backend.changes.begin(imported);
    await backend.records.merge([old], '1');
    await backend.ageIndex();
    await backend.maintenance.rebuild({ allowsShrink: false });
    const record = await backend.records.find('a');
    expect(record).toMatchObject({ ...repaired, created_at: old.created_at });
    expect(String(record?.updated_at) > imported.startedAt).toBe(true);
    expect(await backend.changes.listChangesOf('a', 9)).toHaveLength(1);
    expect(
      await undoChanges({ ...backend, operator: 'ada' }, (await backend.changes.find('1')) as ChangeSet),
    ).toMatchObject({ removed: 1, kept: 0 });
  });
});
