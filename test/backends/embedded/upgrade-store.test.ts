import { join } from 'node:path';
import { constants, DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it } from 'vitest';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { storeForm } from '#backends/embedded/store/store-migrations.ts';
import { runMigrations } from '#backends/embedded/store/upgrade-store.ts';
import { oldVersions } from '#test/upgrades/old-version.ts';
import { putOldStore } from '#test/upgrades/open-old-store.ts';
import { runCommand, startProgram } from '#testing/processes.ts';
import { useFolders } from '#testing/use.ts';

/** Those whose stores have steps before them. */
const versions = oldVersions.filter(({ form }) => form < storeForm).map(({ name }) => name);
const places = 12;

describe.each(versions)('the upgrade of the store of %s', (version) => {
  const newFolder = useFolders();
  let dataDir: string;
  beforeEach(() => {
    dataDir = newFolder();
    putOldStore(version, dataDir);
  });
  const open = () => new DatabaseSync(join(dataDir, 'masthead.db'), { enableForeignKeyConstraints: true });
  const look = <Seen>(see: (database: DatabaseSync) => Seen): Seen => {
    using database = open();
    return see(database);
  };

  it('makes the tables of a new store, whole and of this form', async () => {
    const fresh = newFolder();
    for (const folder of [dataDir, fresh]) await openEmbedded(folder).close();
    const upgraded = look(shapeOf);
    dataDir = fresh;
    expect(upgraded).toEqual(look(shapeOf));
  });

  it.each(Array.from({ length: places }, (_, place) => place))('changes nothing where it fails: place %i', (place) => {
    const before = look(contentOf);
    const writes = countWrites(dataDir);
    const failsAt = 1 + Math.floor((place * (writes - 1)) / (places - 1));
    look((database) => {
      denyWrite(database, failsAt);
      database.exec('BEGIN IMMEDIATE');
      expect(() => runMigrations(database)).toThrow(/not authorized|authorization denied|vtable constructor failed/);
      database.setAuthorizer(null);
      database.exec('ROLLBACK');
    });
    expect(look(contentOf)).toEqual(before);
  });

  it('is undone by the process that tried it if a step fails, and works once nothing is in its way', async () => {
    look((database) => database.exec('ALTER TABLE changes RENAME TO moved_changes'));
    const before = look(contentOf);
    expect(() => openEmbedded(dataDir)).toThrow(/changes/);
    expect(look(contentOf)).toEqual(before);
    look((database) => database.exec('ALTER TABLE moved_changes RENAME TO changes'));
    await openEmbedded(dataDir).close();
    expect(look(formOf)).toBe(storeForm);
  });

  it('waits for nobody: it is refused while a process of any version uses the store, and changes nothing', async () => {
    const before = look(contentOf);
    const holder = startProgram(['-e', holdOpen, join(dataDir, 'masthead.db')], {});
    await holder.logs('open');
    expect(() => openEmbedded(dataDir)).toThrow(/must be upgraded, and another process uses it/);
    await holder.close();
    expect(look(contentOf)).toEqual(before);
    await openEmbedded(dataDir).close();
    expect(look(formOf)).toBe(storeForm);
  });
});

describe('a store of another form', () => {
  const newFolder = useFolders();
  it.each([
    [20, 'was made by Masthead 1.0 .*Start Masthead 1.1 with it once, then this version'],
    [25, 'or to one that was not released'],
    [1_000, 'belongs to a newer version of Masthead'],
  ])('%i is refused, with the way out', async (form, message) => {
    const dataDir = newFolder();
    await openEmbedded(dataDir).close();
    const database = new DatabaseSync(join(dataDir, 'masthead.db'));
    database.exec(`PRAGMA user_version = ${form}`);
    database.close();
    const { code, stderr } = await runCommand(['indexer/main.ts', 'status'], { MASTHEAD_DATA_DIR: dataDir });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(message) });
    expect(stderr).not.toContain('pepper');
  });
});

/** Holds a store open as the service of any version does, until it is killed. */
const holdOpen = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1]);
  database.prepare('SELECT count(*) FROM records').get();
  console.log('open');
  setInterval(() => {}, 1000);
`;

function formOf(database: DatabaseSync): unknown {
  return database.prepare('PRAGMA user_version').get()?.user_version;
}

/** The tables with their columns, and the indexes with theirs, in no order; and that the file is sound. */
function shapeOf(database: DatabaseSync) {
  const tables = database
    .prepare(
      `SELECT s.type, s.name, group_concat(quote(c.name) || ' ' || c.type || ' ' || c."notnull" || ' ' || c.pk, ', ' ORDER BY c.name)
         AS columns
       FROM sqlite_schema AS s LEFT JOIN pragma_table_xinfo(s.name) AS c
       WHERE s.name NOT LIKE 'sqlite_%' GROUP BY s.type, s.name ORDER BY s.type, s.name`,
    )
    .all();
  const integrity = database.prepare('PRAGMA integrity_check').get();
  return { tables, integrity, foreign: database.prepare('PRAGMA foreign_key_check').all(), form: formOf(database) };
}

/** Everything in the file, as the version that wrote it would read it. */
function contentOf(database: DatabaseSync) {
  const schema = database.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name').all();
  const names = schema
    .filter(({ type, sql }) => type === 'table' && !/VIRTUAL/.test(String(sql)))
    .map(({ name }) => name);
  const rows = names.map((name) => {
    const select = database.prepare(`SELECT * FROM "${name}"`);
    select.setReadBigInts(true);
    return [name, select.all()];
  });
  return { schema, rows, form: formOf(database) };
}

const writing = new Set([
  ...[constants.SQLITE_INSERT, constants.SQLITE_UPDATE, constants.SQLITE_DELETE, constants.SQLITE_CREATE_TABLE],
  ...[
    constants.SQLITE_CREATE_INDEX,
    constants.SQLITE_DROP_TABLE,
    constants.SQLITE_ALTER_TABLE,
    constants.SQLITE_PRAGMA,
  ],
]);

/** SQLite refuses the write with this number, and counts them. Returns how many it was asked for. */
function denyWrite(database: DatabaseSync, number: number): () => number {
  let asked = 0;
  database.setAuthorizer((action) => {
    if (writing.has(action)) asked += 1;
    return writing.has(action) && asked === number ? constants.SQLITE_DENY : constants.SQLITE_OK;
  });
  return () => asked;
}

function countWrites(dataDir: string): number {
  const database = new DatabaseSync(join(dataDir, 'masthead.db'), { enableForeignKeyConstraints: true });
  const count = denyWrite(database, 0);
  database.exec('BEGIN IMMEDIATE');
  runMigrations(database);
  database.exec('ROLLBACK');
  database.close();
  return count();
}
