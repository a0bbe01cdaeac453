import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Db, MongoClient } from 'mongodb';
import type { Engine, Say } from './engine.ts';
import { engineUser, giveToEngineUser } from './engine-user.ts';
import { fetchMongod } from './fetch-mongod.ts';
import { findFreePort } from './free-port.ts';
import { isServing } from './probe-engine.ts';
import { SupervisedProcess } from './supervised-process.ts';
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
}

/** Starts a `mongod` of this machine's cache as a replica set of one node, on a free port and an empty folder. */
export async function startLocalMongod(
  say: Say,
  { standalone, credentials, isForgetful }: MongodOptions = {},
): Promise<Engine> {
  const program = await fetchMongod(say);
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
      ...(standalone ? [] : ['--replSet', replicaSet, '--oplogSize', isForgetful ? '4' : '256']),
      // What no checkpoint holds yet is never forgotten; by itself there is one a minute.
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
  const start = async () => {
    served.start();
    await served.waitUntil(() => isServing('mongodb', directUrl), startMs);
  };
  try {
    served.start();
    await served.waitUntil(() => isListening(directUrl), startMs);
    if (!standalone) {
      const members = [{ _id: 0, host: address }];
      await withAdmin(directUrl, (admin) => admin.command({ replSetInitiate: { _id: replicaSet, members } }));
      await served.waitUntil(() => isServing('mongodb', directUrl), startMs);
    }
    if (credentials) await addFirstUser(directUrl, credentials);
  } catch (error) {
    await served.stop();
    throw error;
  }
  return {
    url: standalone ? directUrl : `mongodb://${address}/?replicaSet=${replicaSet}`,
    origin: 'fetched, MongoDB 6.0.5',
    start,
    kill: () => served.kill(),
    pause: async () => served.pause(),
    resume: async () => served.resume(),
    stop: () => served.stop(),
  };
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

/** Makes the first user, which the server allows from its own machine as long as there is none. */
async function addFirstUser(url: string, { user, password }: { user: string; password: string }): Promise<void> {
  await withAdmin(url, (admin) => admin.command({ createUser: user, pwd: password, roles: ['root'] }));
}
