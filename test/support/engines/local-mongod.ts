import { existsSync, mkdirSync, mkdtempSync, statfsSync, writeFileSync } from 'node:fs';
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
const memory = '/dev/shm';

export interface MongodOptions {
  /** How many servers the replica set has. Each may become primary. One by default. */
  size?: number;
  /** Whether it is not in a replica set. Masthead refuses such a server. */
  standalone?: boolean;
  /** The user and password that it requires. */
  credentials?: { user: string; password: string };
  /** Whether it forgets its history within seconds, once that has more than a few megabytes. */
  isForgetful?: boolean;
  /** Adds a second member, whose reads do not show anything that was written since it joined. */
  hasLaggingSecondary?: boolean;
  /** Whether it accepts `configureFailPoint`, which makes commands fail on demand. */
  canFail?: boolean;
  /** Whether its files are on a disk, as those of an operator, whatever a test would have. */
  isOnDisk?: boolean;
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
      // Without a vote, so that the primary alone is a majority.
      const rights = (place: number) => (place < size ? {} : { votes: 0, priority: 0 });
      const config = { _id: replicaSet, members: all.map(({ host }, _id) => ({ _id, host, ...rights(_id) })) };
      await asAdmin(first.url, (admin) => admin.command({ replSetInitiate: config }));
      for (const { url: own } of all) await until(() => isMember(own));
      await until(() => isServing('mongodb', url));
    }
    for (const lagging of all.slice(size)) {
      await asAdmin(lagging.url, (admin) => admin.command({ configureFailPoint: 'rsSyncApplyStop', mode: 'alwaysOn' }));
    }
    // As long as a server has no user, its own machine may create one without a password.
    const user = credentials && { createUser: credentials.user, pwd: credentials.password, roles: ['root'] };
    if (user) await asAdmin(first.url, (admin) => admin.command(user));
  } catch (error) {
    await stopAll(all);
    throw error;
  }
  const nodes = members.map((member) => ({
    ...member,
    // The name of the replica set lets a client of this one server find its state in the set.
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
  const { standalone, credentials, isForgetful, canFail, isOnDisk = false } = options;
  const user = engineUser();
  const port = await findFreePort();
  const folder = mkdtempSync(join(isOnDisk || !hasRoomInMemory() ? tmpdir() : memory, 'masthead-mongodb-'));
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
      // MongoDB keeps its history since the last checkpoint, so there is one every second instead of every minute.
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

/** A database of a test is a hundred and fifty files: on a disk it takes 1.5 s to create them, in memory 0.2 s. */
const hasRoomInMemory = () => existsSync(memory) && statfsSync(memory).bavail * statfsSync(memory).bsize > 2 ** 32;

/** Whether the server is a primary or secondary of its replica set. */
const isMember = (url: string) =>
  asAdmin(url, (admin) => admin.command({ hello: 1 })).then(
    ({ isWritablePrimary, secondary }) => isWritablePrimary === true || secondary === true,
    () => false,
  );

const isListening = (url: string) => asAdmin(url, (admin) => admin.command({ ping: 1 })).then(Boolean, () => false);

async function asAdmin(url: string, work: (admin: Db) => Promise<Document>): Promise<Document> {
  await using client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000 });
  return await work(client.db('admin'));
}
