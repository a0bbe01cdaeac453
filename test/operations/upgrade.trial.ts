import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asVersion1, expectRenewed, makeOldStore } from '#testing/old-store.ts';
import { runCommand } from '#testing/run-service.ts';

const records = 200;

/* trials/embedded/upgrade.trial.ts tests what the service does with it. */
describe('an embedded store after an upgrade', () => {
  let parent: string;
  let dataDir: string;
  let settings: Record<string, string>;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'masthead-upgrade-'));
    dataDir = join(parent, 'data');
    settings = { MASTHEAD_DATA_DIR: dataDir };
    await makeOldStore(dataDir, records);
  });
  afterEach(() => rm(parent, { recursive: true }));

  it('is reindexed by `sync`, too', async () => {
    const { code, stderr, stdout } = await runCommand(['indexer/main.ts', 'sync'], settings);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/built by other rules .*: rebuilding it\./),
    });
    expect(stdout).toContain('There is nothing to do');
    await expectRenewed(dataDir, records);
  });

  it('is taken over from a version that was killed while it built the next index in a second set of tables', async () => {
    const old = new DatabaseSync(join(dataDir, 'masthead.db'));
    old.exec(asVersion1);
    old.close();
    expect(await runCommand(['indexer/main.ts', 'sync'], settings)).toMatchObject({ code: 0 });
    await expectRenewed(dataDir, records);
    const upgraded = new DatabaseSync(join(dataDir, 'masthead.db'), { readOnly: true });
    const names = upgraded
      .prepare('SELECT name FROM sqlite_schema')
      .all()
      .map(({ name }) => String(name));
    expect(upgraded.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    expect(upgraded.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    upgraded.close();
    expect(names.filter((name) => /_next|generations|journal|record_changes/.test(name))).toEqual([]);
    expect(names).toEqual(expect.arrayContaining(['documents', 'document_lists', 'search_text', 'search_index']));
  });

  it('shows in status and verify what is outdated, and what to run', async () => {
    const status = await runCommand(['indexer/main.ts', 'status'], settings);
    expect(status.stdout).toMatch(/^Form: +outdated\. To build a new index: npm run indexer -- reindex/m);
    expect(JSON.parse((await runCommand(['indexer/main.ts', 'status', '--json'], settings)).stdout)).toMatchObject({
      is_current: false,
    });
    const verify = await runCommand(['indexer/main.ts', 'verify'], settings);
    expect(verify).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/built by other rules .*npm run indexer -- reindex$/m),
    });
  });
});
