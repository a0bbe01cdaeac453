import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, type Document, MongoClient } from 'mongodb';
import type { Engine, EngineCluster, LogLine } from './engine.ts';
import { fetchMongod } from './fetch-engines.ts';
import { findFreePort, isServing } from './probe-engine.ts';
import { engineUser, giveToEngineUser, SupervisedProcess } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

const replicaSet = 'rs0';
const startMs = 60_000;

export interface MongodOptions {
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

interface Member {
  host: string;
  votes?: number;
  priority?: number;
}

/** Starts a `mongod` of this machine's cache as a replica set of one node, on a free port and an empty folder. */
export async function startLocalMongod(log: LogLine, options: MongodOptions = {}): Promise<Engine> {
  const { standalone, credentials, hasLaggingSecondary } = options;
  const program = await fetchMongod(log);
  const { address, directUrl, served, waitUntil } = await spawnMongod(program, options);
  const lagging = hasLaggingSecondary ? await spawnMongod(program, { canFail: true }) : null;
  const stop = async () => {
    await Promise.all([served.stop(), lagging?.served.stop()]);
  };
  try {
    if (!standalone) {
      // Without a vote, so that a majority is the primary alone.
      const others = lagging === null ? [] : [{ host: lagging.address, votes: 0, priority: 0 }];
      await initiate(directUrl, [{ host: address }, ...others]);
      await waitUntil('writes');
    }
    if (lagging !== null) {
      await lagging.waitUntil('reads');
      await withAdmin(lagging.directUrl, (admin) =>
        admin.command({ configureFailPoint: 'rsSyncApplyStop', mode: 'alwaysOn' }),
      );
    }
    if (credentials) await addFirstUser(directUrl, credentials);
  } catch (error) {
    await stop();
    throw error;
  }
  const url = standalone ? directUrl : `mongodb://${address}/?replicaSet=${replicaSet}`;
  return { ...toEngine(served, url, () => waitUntil('writes')), stop };
}

/** Starts a replica set of this many members, each of which may become primary. */
export async function startLocalReplicaSet(log: LogLine, size: number): Promise<EngineCluster> {
  const program = await fetchMongod(log);
  const members = await Promise.all(Array.from({ length: size }, () => spawnMongod(program, {})));
  const stop = async () => {
    await Promise.all(members.map(({ served }) => served.stop()));
  };
  const addresses = members.map(({ address }) => address);
  const url = `mongodb://${addresses.join(',')}/?replicaSet=${replicaSet}`;
  try {
    const [first] = members;
    if (first === undefined) throw new RangeError('a replica set has at least one member');
    await initiate(
      first.directUrl,
      addresses.map((host) => ({ host })),
    );
    await Promise.all(members.map(({ waitUntil }) => waitUntil('reads')));
    await first.served.waitUntil(() => isServing('mongodb', url), startMs);
  } catch (error) {
    await stop();
    throw error;
  }
  const nodes = members.map(({ served, directUrl, waitUntil }) =>
    toEngine(served, directUrl, () => waitUntil('reads')),
  );
  return { url, nodes, stop };
}

async function spawnMongod(program: string, { standalone, credentials, isForgetful, canFail }: MongodOptions) {
  const user = engineUser();
  const address = `127.0.0.1:${await findFreePort()}`;
  const folder = mkdtempSync(join(tmpdir(), 'masthead-mongodb-'));
  const [dbPath, keyFile] = [join(folder, 'db'), join(folder, 'key')];
  mkdirSync(dbPath);
  writeFileSync(keyFile, 'only for tests', { mode: 0o400 });
  giveToEngineUser(user, folder);

  const served = new SupervisedProcess({
    command: program,
    args: [
      ...['--bind_ip', '127.0.0.1', '--port', address.split(':')[1] ?? '', '--nounixsocket'],
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
  const directUrl = `mongodb://${address}/?directConnection=true`;
  const waitUntil = (serves: 'reads' | 'writes') =>
    served.waitUntil(() => (serves === 'writes' ? isServing('mongodb', directUrl) : isMember(directUrl)), startMs);
  try {
    served.start();
    await served.waitUntil(() => isListening(directUrl), startMs);
  } catch (error) {
    await served.stop();
    throw error;
  }
  return { address, directUrl, served, waitUntil };
}

function toEngine(served: SupervisedProcess, url: string, whenServing: () => Promise<void>): Engine {
  return {
    url,
    origin: 'fetched, MongoDB 6.0.5',
    start: async () => {
      served.start();
      await whenServing();
    },
    kill: () => served.kill(),
    pause: async () => served.pause(),
    resume: async () => served.resume(),
    shutDown: () => served.shutDown(),
    stop: () => served.stop(),
  };
}

async function initiate(url: string, given: readonly Member[]): Promise<void> {
  const members = given.map((member, _id) => ({ _id, ...member }));
  await withAdmin(url, (admin) => admin.command({ replSetInitiate: { _id: replicaSet, members } }));
}

/** Whether the server is a primary or secondary of its replica set. */
async function isMember(url: string): Promise<boolean> {
  try {
    let hello: Document = {};
    await withAdmin(url, async (admin) => {
      hello = await admin.command({ hello: 1 });
    });
    return hello.isWritablePrimary === true || hello.secondary === true;
  } catch {
    // Not yet: asked again.
    return false;
  }
}

async function withAdmin(url: string, work: (admin: Db) => Promise<unknown>): Promise<void> {
  const client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000 });
  try {
    await work(client.db('admin'));
  } finally {
    await client.close();
  }
}

async function isListening(url: string): Promise<boolean> {
  try {
    await withAdmin(url, (admin) => admin.command({ ping: 1 }));
    return true;
  } catch {
    // Not yet: asked again.
    return false;
  }
}

/** Creates the first user, which the server allows from its own machine while there is none. */
async function addFirstUser(url: string, { user, password }: { user: string; password: string }): Promise<void> {
  await withAdmin(url, (admin) => admin.command({ createUser: user, pwd: password, roles: ['root'] }));
}
