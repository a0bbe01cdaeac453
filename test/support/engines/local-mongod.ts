import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Db, type Document, MongoClient } from 'mongodb';
import { type Engine, type EngineCluster, type LogLine, startAll, stopAll } from './engine.ts';
import { fetchMongod } from './fetch-engines.ts';
import { findFreePort, isServing } from './probe-engine.ts';
import { engineUser, giveToEngineUser, SupervisedProcess } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

const replicaSet = 'rs0';
const startMs = 60_000;

export interface MongodOptions {
  /** Servers of the replica set, each of which may become primary; one unless given. */
  size?: number;
  /** Not a member of a replica set: what Masthead refuses. */
  standalone?: boolean;
  /** A user it asks for. */
  credentials?: { user: string; password: string };
  /** Forgets its history within seconds, when that grows over a few megabytes. */
  isForgetful?: boolean;
  /** Adds a second member, which can be read and shows nothing that was written since it joined. */
  hasLaggingSecondary?: boolean;
  /** Takes the command `configureFailPoint`, which lets commands fail on demand. */
  canFail?: boolean;
}

type Member = Engine & { host: string };

/** Starts a `mongod` of this machine's cache, or several as one replica set, on free ports and empty folders. */
export async function startLocalMongod(log: LogLine, options: MongodOptions = {}): Promise<EngineCluster> {
  const { size = 1, standalone, credentials, hasLaggingSecondary } = options;
  const program = await fetchMongod(log);
  const kinds = [...Array<MongodOptions>(size).fill(options), ...(hasLaggingSecondary ? [{ canFail: true }] : [])];
  const all = await startAll(kinds.map((kind) => startMember(program, kind)));
  const members = all.slice(0, size);
  const [first] = members as [Member];
  const hosts = members.map(({ host }) => host).join(',');
  const url = standalone ? first.url : `mongodb://${hosts}/?replicaSet=${replicaSet}`;
  try {
    if (!standalone) {
      // Without a vote, so that a majority is the primary alone.
      const rights = (place: number) => (place < size ? {} : { votes: 0, priority: 0 });
      const config = { _id: replicaSet, members: all.map(({ host }, _id) => ({ _id, host, ...rights(_id) })) };
      await asAdmin(first.url, (admin) => admin.command({ replSetInitiate: config }));
      for (const { url: own } of all) await until(() => isMember(own));
      await until(() => isServing('mongodb', url));
    }
    for (const lagging of all.slice(size)) {
      await asAdmin(lagging.url, (admin) => admin.command({ configureFailPoint: 'rsSyncApplyStop', mode: 'alwaysOn' }));
    }
    // A server lets its own machine create a user while there is none.
    const user = credentials && { createUser: credentials.user, pwd: credentials.password, roles: ['root'] };
    if (user) await asAdmin(first.url, (admin) => admin.command(user));
  } catch (error) {
    await stopAll(all);
    throw error;
  }
  const nodes = members.map((member) => ({
    ...member,
    // A client of one server finds it as the replica set that it is.
    url: size === 1 ? url : member.url,
    async start() {
      await member.start();
      await until(() => (size === 1 ? isServing('mongodb', member.url) : isMember(member.url)));
    },
  }));
  return { url, nodes, stop: () => stopAll(all) };
}

async function until(isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + startMs;
  while (!(await isReady())) {
    if (Date.now() > deadline) throw new Error(`MongoDB is not ready within ${startMs / 1_000} s`);
    await pause(50);
  }
}

async function startMember(program: string, options: MongodOptions): Promise<Member> {
  const { standalone, credentials, isForgetful, canFail } = options;
  const user = engineUser();
  const port = await findFreePort();
  const folder = mkdtempSync(join(tmpdir(), 'masthead-mongodb-'));
  const [dbPath, keyFile] = [join(folder, 'db'), join(folder, 'key')];
  mkdirSync(dbPath);
  writeFileSync(keyFile, 'only for tests', { mode: 0o400 });
  giveToEngineUser(user, folder);

  const served = new SupervisedProcess({
    command: program,
    args: [
      ...['--bind_ip', '127.0.0.1', '--port', `${port}`, '--nounixsocket'],
      ...['--dbpath', dbPath, '--wiredTigerCacheSizeGB', '0.25'],
      ...['--setParameter', 'diagnosticDataCollectionEnabled=false'],
      ...(canFail ? ['--setParameter', 'enableTestCommands=1'] : []),
      ...(standalone ? [] : ['--replSet', replicaSet, '--oplogSize', isForgetful ? '4' : '256']),
      // Keeps what no checkpoint contains yet; by default there is one per minute.
      ...(isForgetful ? ['--syncdelay', '1'] : []),
      ...(credentials ? ['--auth', ...(standalone ? [] : ['--keyFile', keyFile])] : []),
    ],
    env: { PATH: readTestSettings().path },
    cwd: folder,
    logFile: join(folder, 'mongod.log'),
    folder,
    user,
  });
  const host = `127.0.0.1:${port}`;
  const url = `mongodb://${host}/?directConnection=true`;
  return { host, ...(await served.serve(url, 'fetched, MongoDB 6.0.5', () => isListening(url), startMs)) };
}

/** Whether the server is a primary or secondary of its replica set. */
async function isMember(url: string): Promise<boolean> {
  try {
    const { isWritablePrimary, secondary } = await asAdmin(url, (admin) => admin.command({ hello: 1 }));
    return isWritablePrimary === true || secondary === true;
  } catch {
    // Not yet: asked again.
    return false;
  }
}

async function isListening(url: string): Promise<boolean> {
  return asAdmin(url, (admin) => admin.command({ ping: 1 })).then(
    () => true,
    () => false,
  );
}

async function asAdmin(url: string, work: (admin: Db) => Promise<Document>): Promise<Document> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000 });
  try {
    return await work(client.db('admin'));
  } finally {
    await client.close();
  }
}
