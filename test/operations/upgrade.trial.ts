import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { asVersion11, expectRenewed, makeOldStore } from '#testing/embedded-store.ts';
import { runCommand } from '#testing/processes.ts';
import { useFolders } from '#testing/use.ts';

const records = 200;

/* trials/embedded/upgrade.trial.ts tests what the service does with it. */
describe('an embedded store after an upgrade', () => {
  const newFolder = useFolders();
  let dataDir: string;
  let settings: Record<string, string>;

  beforeEach(async () => {
    dataDir = join(newFolder(), 'data');
    settings = { MASTHEAD_DATA_DIR: dataDir };
    await makeOldStore(dataDir, records);
  });

  it('is reindexed by `sync`, too', async () => {
    const { code, stderr, stdout } = await runCommand(['indexer/main.ts', 'sync'], settings);
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(/built by other rules .*: rebuilding it\./),
    });
    expect(stdout).toContain('There is nothing to do');
    await expectRenewed(dataDir, records);
  });

  const inFile = (file: string, work: (database: DatabaseSync) => void) => {
    const database = new DatabaseSync(join(file, 'masthead.db'));
    work(database);
    database.close();
  };

  it('of Masthead 1.1 gets the tables of a new one, and its index is rebuilt', async () => {
    const fresh = newFolder();
    await makeOldStore(fresh, 0);
    const shapes: unknown[] = [];
    inFile(dataDir, (old) => old.exec(asVersion11));
    expect(await runCommand(['indexer/main.ts', 'sync'], settings)).toMatchObject({ code: 0 });
    await expectRenewed(dataDir, records);
    for (const folder of [dataDir, fresh]) inFile(folder, (database) => shapes.push(shapeOf(database)));
    expect(shapes[0]).toEqual(shapes[1]);
    inFile(dataDir, (upgraded) => {
      expect(upgraded.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
      expect(upgraded.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
      expect(upgraded.prepare('SELECT count(*) AS count FROM records WHERE name_key IS NULL').get()?.count).toBe(0);
    });
  });

  it.each([
    [20, 'was made by Masthead 1.0 .*Start Masthead 1.1 with it once, then this version'],
    [1_000, 'belongs to a newer version of Masthead'],
  ])('of schema %i is refused, with the way out', async (version, message) => {
    inFile(dataDir, (other) => other.exec(`PRAGMA user_version = ${version}`));
    const { code, stderr } = await runCommand(['indexer/main.ts', 'status'], settings);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
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

/** The tables with their columns, and the indexes with theirs, in no order. */
function shapeOf(database: DatabaseSync) {
  return database
    .prepare(
      `SELECT s.type, s.name, group_concat(quote(c.name) || ' ' || c.type || ' ' || c.pk, ', ' ORDER BY c.name) AS columns
       FROM sqlite_schema AS s LEFT JOIN pragma_table_xinfo(s.name) AS c
       WHERE s.name NOT LIKE 'sqlite_%' GROUP BY s.type, s.name ORDER BY s.type, s.name`,
    )
    .all();
}
