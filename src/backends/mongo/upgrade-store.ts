import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Collection, Db, Document } from 'mongodb';
import { StartupError } from '#src/problem.ts';
import { createMongoClient, explainMongoFault, openDatabase, requestTimeoutMs } from './connect-mongo.ts';
import { requireNoOtherVersion } from './other-versions.ts';
import { formsOf, storeForm, undatedSinceNow } from './store-form.ts';
import { type Migration, migrations } from './store-migrations.ts';

const pageSize = 1_000;
/** How long an upgrade may go without a sign of life before another process does it, in milliseconds. */
const leaseMs = 60_000;
const retryMs = 500;

const aheadPrefix = 'ahead_';

/** Where an index that is built ahead of an upgrade keeps what belongs to it, such as how far it has come. */
export function aheadName(collection: string): string {
  return `${aheadPrefix}${collection}`;
}

/** The copies that will replace a collection, and what they replaced until the upgrade is done. */
const renewedName = (name: string) => `${name}.renewed`;
const formerName = (name: string) => `${name}.former`;

/** The number of the form of a store. One without a number is of 1.1 if it has its collections; else it is new: null. */
export async function readForm(db: Db): Promise<number | null> {
  const form = await formsOf(db).findOne({ _id: 'form' });
  if (form?.number !== undefined) return form.number;
  return (await hasCollection(db, 'api_keys')) ? 1 : null;
}

/** @throws StartupError if a newer version wrote the store */
export function requireKnown(form: number): void {
  if (form <= storeForm) return;
  throw new StartupError(
    `The store in MONGODB_URI belongs to a newer version of Masthead (form ${form}; this version knows ${storeForm}). Nothing was changed. Run that version.`,
  );
}

/**
 * Brings the store to this version's form. If that fails or is cut off, the earlier version can go on with the store; what is
 * not yet done is done by the next process that tries.
 *
 * @throws StartupError while a process of another version uses the store, or if a newer version wrote it
 */
export async function upgradeStore(db: Db, options: Parameters<typeof requireNoOtherVersion>[1] = {}): Promise<void> {
  const form = await readForm(db);
  if (form === null) {
    await formsOf(db).updateOne({ _id: 'form' }, { $set: { number: storeForm } }, { upsert: true });
    return;
  }
  requireKnown(form);
  if (form === storeForm && !(await isUnderWay(db))) return;
  if (form !== storeForm) await requireNoOtherVersion(db, options);
  const by = randomUUID();
  await takeUpgrade(db, by);
  const renewal = setInterval(
    () =>
      formsOf(db)
        .updateOne({ _id: 'upgrade', by }, lease(by))
        .catch(() => {}),
    leaseMs / 6,
  );
  try {
    await finishUpgrade(db);
    await formsOf(db).deleteOne({ _id: 'upgrade', by });
  } finally {
    clearInterval(renewal);
    // Another process may try at once. What it must go on with stays noted.
    await formsOf(db).updateOne({ _id: 'upgrade', by }, { $set: { until: new Date(0) } });
  }
}

/** Does what is left to do of an upgrade: all of it, the rest of one that was cut off, or nothing. */
async function finishUpgrade(db: Db): Promise<void> {
  const form = (await readForm(db)) ?? storeForm;
  requireKnown(form);
  if (form !== storeForm) {
    const pending = migrations.filter((migration) => migration.form > form);
    await migrate(db, pending);
    const undated = pending.some(({ leavesUndated }) => leavesUndated) && { undated_since: undatedSinceNow };
    await formsOf(db).updateOne({ _id: 'form' }, [{ $set: { number: storeForm, ...undated } }], { upsert: true });
  }
  await dropFormer(db);
  await adoptIndexes(db);
}

/** How often a process looks whether another version has upgraded the store that it uses, in milliseconds. */
const watchMs = 10_000;

/** Calls `onNewer` with the reason to stop once a newer version has upgraded the store. Returns what ends the watch. */
export function watchForm(db: Db, onNewer: (reason: StartupError) => void, everyMs = watchMs): () => void {
  const watch = setInterval(async () => {
    // A store that does not answer now is looked at the next time.
    const form = await readForm(db).catch(() => null);
    try {
      requireKnown(form ?? storeForm);
    } catch (error) {
      clearInterval(watch);
      onNewer(error as StartupError);
    }
  }, everyMs);
  watch.unref();
  return () => clearInterval(watch);
}

async function migrate(db: Db, pending: readonly Migration[]): Promise<void> {
  await undoReplacing(db);
  for (const { refuses } of pending) {
    const fault = (await refuses?.(db)) ?? null;
    if (fault !== null) throw new StartupError(fault);
  }
  const names = await listRenewed(db, pending);
  for (const name of names) await copyRenewed(db, name, pending);
  for (const { inPlace } of pending) await inPlace?.(db);
  await formsOf(db).updateOne({ _id: 'upgrade' }, { $set: { isReplacing: true } });
  await replaceAll(db, names);
}

/** The collections of the store whose documents these steps change. */
async function listRenewed(db: Db, steps: readonly Migration[]): Promise<string[]> {
  const existing: string[] = [];
  for (const name of namesIn(steps)) if (await hasCollection(db, name)) existing.push(name);
  return existing;
}

function namesIn(steps: readonly Migration[]): Set<string> {
  return new Set(steps.flatMap(({ documents = {} }) => Object.keys(documents)));
}

/** Copies a collection in its new form beside it. */
async function copyRenewed(db: Db, name: string, steps: readonly Migration[]): Promise<void> {
  const renewals = steps.flatMap(({ documents }) => documents?.[name] ?? []);
  const copies = await createEmpty(db, renewedName(name));
  let page: Document[] = [];
  const write = async () => {
    if (page.length > 0) await copies.insertMany(page, { ordered: false });
    page = [];
  };
  for await (const old of db.collection(name).find({}, { promoteLongs: false })) {
    const { _id } = old;
    const renewed = renewals.reduce<Document | null>((document, renew) => document && renew(document), old);
    if (renewed !== null) page.push({ ...renewed, _id });
    if (page.length === pageSize) await write();
  }
  await write();
}

/** Puts the copies in the place of the collections. If one cannot be, those before it go back. */
async function replaceAll(db: Db, names: readonly string[]): Promise<void> {
  try {
    for (const name of names) await swap(db, name, { from: renewedName(name), aside: formerName(name) });
  } catch (error) {
    await undoReplacing(db);
    throw error;
  }
}

/**
 * Puts collections back that were replaced, the last first. After an upgrade that was cut off, the copies may lack what the
 * earlier version has written since, so they are made again.
 */
async function undoReplacing(db: Db): Promise<void> {
  if ((await formsOf(db).findOne({ _id: 'upgrade' }))?.isReplacing) {
    for (const name of [...namesIn(migrations)].reverse())
      await swap(db, name, { from: formerName(name), aside: renewedName(name) });
    await formsOf(db).updateOne({ _id: 'upgrade' }, { $unset: { isReplacing: true } });
  }
}

/** Puts the collection `from`, if there is one, in the place of another, which goes `aside`. */
async function swap(db: Db, name: string, { from, aside }: { from: string; aside: string }): Promise<void> {
  if (!(await hasCollection(db, from))) return;
  if (await hasCollection(db, name)) await db.renameCollection(name, aside, { dropTarget: true });
  await db.renameCollection(from, name);
}

/** Removes what was replaced, and copies that an upgrade left. */
async function dropFormer(db: Db): Promise<void> {
  for (const name of namesIn(migrations)) {
    await db.dropCollection(formerName(name)).catch(() => {});
    await db.dropCollection(renewedName(name)).catch(() => {});
  }
}

/** Takes over the indexes that were built ahead. */
async function adoptIndexes(db: Db): Promise<void> {
  for await (const { _id, ...state } of db
    .collection(aheadName('index_generations'))
    .find({}, { promoteLongs: false })) {
    await db.collection('index_generations').replaceOne({ _id }, state, { upsert: true });
  }
  const ahead = await db.listCollections({ name: { $regex: `^${aheadPrefix}` } }, { nameOnly: true }).toArray();
  for (const { name } of ahead) await db.dropCollection(name);
}

async function createEmpty(db: Db, name: string): Promise<Collection> {
  if (await hasCollection(db, name)) await db.dropCollection(name);
  return db.createCollection(name);
}

async function hasCollection(db: Db, name: string): Promise<boolean> {
  return (await db.listCollections({ name }, { nameOnly: true }).toArray()).length > 0;
}

function lease(by: string) {
  return [{ $set: { by, until: { $add: ['$$NOW', leaseMs] } } }];
}

/** Whether a process upgrades the store, or was cut off before the end. */
async function isUnderWay(db: Db): Promise<boolean> {
  return (await formsOf(db).findOne({ _id: 'upgrade' })) !== null;
}

/** Takes the upgrade, once no other process does it. */
async function takeUpgrade(db: Db, by: string): Promise<void> {
  for (;;) {
    await formsOf(db).updateOne({ _id: 'upgrade' }, { $setOnInsert: { until: new Date(0) } }, { upsert: true });
    const free = { _id: 'upgrade' as const, $expr: { $lt: ['$until', '$$NOW'] } };
    if ((await formsOf(db).updateOne(free, lease(by))).matchedCount === 1) return;
    await pause(retryMs);
  }
}

/** What an upgrade of the store at the URI would do, in words: nothing if it is new, or has this version's form. Changes nothing. */
export async function listPendingSteps(uri: string): Promise<readonly string[]> {
  await using client = createMongoClient(uri, requestTimeoutMs);
  try {
    const form = await readForm(openDatabase(client, uri));
    if (form === null) return [];
    requireKnown(form);
    return migrations.filter((migration) => migration.form > form).map(({ name }) => name);
  } catch (error) {
    throw explainMongoFault(error, client);
  }
}
