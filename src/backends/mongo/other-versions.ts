import { setTimeout as pause } from 'node:timers/promises';
import type { Db } from 'mongodb';
import { indexVersion } from '#search/indexed/index-maintenance.ts';
import { StartupError } from '#src/problem.ts';
import { countOf } from '#text/printed.ts';
import { storeForm } from './store-form.ts';

/** The name under which processes of 1.1 and 1.2 connect, whatever their database. */
const nameBefore13 = 'masthead';

/** How long to wait for processes that end, in milliseconds. */
const patienceMs = 20_000;
const retryMs = 500;

/** The name under which this process connects: it tells other versions which forms of the store and index of which database it reads. */
export function connectionName(database: string): string {
  return `masthead form ${storeForm} index ${indexVersion} on ${database}`;
}

/** Processes of Masthead that are connected under one name. */
interface Connected {
  name: string;
  /** Their addresses, without ports. */
  hosts: readonly string[];
}

/**
 * Waits until no process that reads another form of this store is connected.
 *
 * @param sharesServer whether processes of 1.1 and 1.2, which do not tell their database, use other ones
 * @throws StartupError if one still is
 */
export async function requireNoOtherVersion(
  db: Db,
  { sharesServer = false, waitMs = patienceMs }: { sharesServer?: boolean; waitMs?: number } = {},
): Promise<void> {
  const deadline = performance.now() + waitMs;
  const isSameForm = new RegExp(`^masthead form ${storeForm} `);
  for (;;) {
    const connected = await listConnected(db);
    const otherClients = connected.filter(
      ({ name }) => !isSameForm.test(name) && !(sharesServer && name === nameBefore13),
    );
    if (otherClients.length === 0) return;
    if (performance.now() > deadline) throw new StartupError(describe(otherClients, db.databaseName));
    await pause(retryMs);
  }
}

/** Whether every process that may use this store reads the same forms of it and of its index. */
export async function isOnlyVersion(db: Db): Promise<boolean> {
  const ownName = connectionName(db.databaseName);
  return (await listConnected(db)).every(({ name }) => name === ownName);
}

/** Processes that use this database, or may, as far as the user may see them: MongoDB shows everybody their own user's. */
async function listConnected(db: Db): Promise<Connected[]> {
  const ofDatabase = { $regex: '^masthead form \\d+ index \\d+ on ' };
  const match = { $match: { $or: [{ appName: nameBefore13 }, { appName: ofDatabase }] } };
  const group = { $group: { _id: '$appName', clients: { $addToSet: '$client' } } };
  const look = (allUsers: boolean) =>
    db.client
      .db('admin')
      .aggregate<{ _id: string; clients: string[] }>([
        { $currentOp: { idleConnections: true, allUsers } },
        match,
        group,
      ])
      .toArray();
  const connected = await look(true).catch(() => look(false));
  return connected
    .filter(({ _id }) => _id === nameBefore13 || _id.endsWith(` on ${db.databaseName}`))
    .map(({ _id, clients }) => ({
      name: _id,
      hosts: [...new Set(clients.map((client) => client.replace(/:\d+$/, '')))],
    }));
}

function describe(otherClients: readonly Connected[], database: string): string {
  const hosts = [...new Set(otherClients.flatMap((other) => other.hosts))];
  const isUnnamed = otherClients.some(({ name }) => name === nameBefore13);
  return [
    `The store in MONGODB_URI must be upgraded, and a process of another version of Masthead is connected (from ${hosts.join(', ')}). Nothing was changed. Stop every process of the other version, then start this one again.`,
    ...(isUnnamed
      ? [
          `If ${countOf(hosts.length, 'host')} with 1.1 or 1.2 use another database than ${database}: npm run admin -- upgrade --shared-server`,
        ]
      : []),
  ].join(' ');
}
