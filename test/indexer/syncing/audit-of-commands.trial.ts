import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Maintained, openIndexer } from '#indexer/open-indexer.ts';
import { engines } from '#test/engines.ts';
import { openProduction } from '#testing/open-production.ts';
import { runHere } from '#testing/run-here.ts';

interface Opened extends Maintained {
  /** The settings by which a process finds it. */
  settings: Record<string, string>;
}

const { mongodb, elasticsearch } = engines;
const opened: { name: string; open: (dataDir: string) => Promise<Opened> }[] = [
  {
    name: 'embedded',
    open: async (dataDir) => ({ ...(await openIndexer({ dataDir })), settings: { MASTHEAD_DATA_DIR: dataDir } }),
  },
];
if (mongodb && elasticsearch) {
  opened.push({
    name: 'MongoDB and Elasticsearch',
    open: async (dataDir) => {
      const production = await openProduction({ mongodb, elasticsearch });
      return { ...production, settings: { ...production.settings, MASTHEAD_DATA_DIR: dataDir } };
    },
  });
}

describe.each(opened)('the audit log of commands that change records or their index, $name', ({ name, open }) => {
  let folder: string;
  let backends: Opened;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masthead-audit-'));
    backends = await open(join(folder, 'data'));
    seen = 0;
  });
  afterEach(async () => {
    await backends.close();
    await rm(folder, { recursive: true });
  });

  const run = (...args: string[]) => runHere(['indexer/main.ts', ...args], backends.settings);

  /** Entries since the last call, oldest first, as `action | subject | outcome`. */
  let seen: number;
  async function entries(): Promise<string[]> {
    const all = (await backends.audit.list(1_000)).toReversed();
    const fresh = all.slice(seen);
    seen = all.length;
    for (const { operator, at } of fresh) {
      expect(operator).toBe(userInfo().username);
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    }
    return fresh.map(({ action, subject, outcome }) => `${action} | ${subject} | ${outcome}`);
  }

  it('shows who did what, before it and with counts after it, and contains no address', async () => {
    const file = join(folder, 'of jane@audited.example.csv');
    await writeFile(
      file,
      'id,kind,name,email\n1,outlet,One,jane@audited.example\n2,outlet,,\n3,outlet,Three,x@audited.example\n',
    );

    expect(await run('import', '--dry-run', file)).toMatchObject({ code: 1 });
    expect(await entries()).toEqual([]);

    expect(await run('import', file, join(folder, 'none.csv'))).toMatchObject({ code: 1 });
    const imported = await entries();
    expect(imported).toEqual([
      expect.stringMatching(/^import \| .+ \| null$/),
      expect.stringMatching(/^import \| .*none\.csv \| null$/),
      expect.stringMatching(
        /none\.csv \| 3 rows read = 2 created \+ 0 updated \+ 0 unchanged \+ 0 repeated \+ 1 rejected; 1 files refused; change set \S+$/,
      ),
    ]);

    expect(await run('reindex', '--allow-shrink')).toMatchObject({ code: 0 });
    expect(await entries()).toEqual([
      'reindex | search index | null',
      expect.stringMatching(/^reindex \| search index \| \S+: 2 indexed, 0 dead letters; /),
    ]);

    expect(await run('delete', '1', 'jane@audited.example')).toMatchObject({ code: 1 });
    const deleted = await entries();
    expect(deleted).toEqual([
      'delete | record 1 | null',
      expect.stringMatching(/^delete \| record sha256 [\w-]{43} \| null$/),
      expect.stringMatching(/^delete \| record 1, record sha256 [\w-]{43} \| 1 deleted, 1 unknown; change set \S+$/),
    ]);

    expect(await run('verify')).toMatchObject({ code: 0 });
    expect(await entries()).toEqual([]);
    expect(await run('verify', '--repair')).toMatchObject({ code: 0 });
    expect(await entries()).toEqual([
      'repair | search index | null',
      expect.stringMatching(/^repair \| search index \| \S+: 1 compared; fixed: 0 missing, 0 extra, 0 stale$/),
    ]);

    // Neither backend has an earlier index to roll back to.
    const refusal = name === 'embedded' ? 'there is no earlier one to go back to' : 'There is no earlier index.';
    expect(await run('rollback')).toMatchObject({ code: 1, stderr: expect.stringContaining(refusal) });
    expect(await entries()).toEqual([
      'rollback | to the previous index | null',
      expect.stringMatching(new RegExp(`^rollback \\| to the previous index \\| failed: .*${refusal}`)),
    ]);

    expect(await run('suppress', '--address', 'x@audited.example')).toMatchObject({ code: 0 });
    expect(await entries()).toEqual([
      expect.stringMatching(/^suppress \| address [\w-]{8} \| null$/),
      expect.stringMatching(/^suppress \| address [\w-]{8} \| 1 suppression added, 1 record hidden\.$/),
    ]);

    expect(JSON.stringify(await backends.audit.list(1_000))).not.toMatch(/@|audited\.example/);
    if (name !== 'embedded') return;
    expect((await runHere(['admin/main.ts', 'audit'], backends.settings)).stdout).toMatch(
      /^at +operator +action +subject +outcome\n/,
    );
  });
});
