import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Engine } from '#testing/engines/engine.ts';
import { startOwnEngine } from '#testing/engines/own-engine.ts';

const engine = await startOwnEngine('mongodb');

describe.skipIf(engine === null)('an engine of its own', () => {
  let mongod: Engine;
  let client: MongoClient;
  beforeAll(() => {
    mongod = engine as Engine;
    client = new MongoClient(mongod.url, { serverSelectionTimeoutMS: 5_000 });
  });
  afterAll(async () => {
    await client.close();
    await mongod.stop();
  });

  test('comes back on the same port with its data after a kill', async () => {
    const notes = client.db('test').collection('notes');
    await notes.insertOne({ text: 'kept' }, { writeConcern: { w: 'majority' } });
    await mongod.kill();
    expect(await isOpen(mongod.url)).toBe(false);
    await mongod.start();
    expect(await notes.countDocuments({ text: 'kept' })).toBe(1);
  });

  test('can only be reached at one address, since it has no password', async () => {
    const outside = Object.values(networkInterfaces()).flatMap((addresses = []) =>
      addresses.filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address),
    );
    for (const address of outside.filter((known) => known !== new URL(mongod.url).hostname)) {
      expect(await isOpen(`mongodb://${address}:${new URL(mongod.url).port}`), address).toBe(false);
    }
    expect(await isOpen(mongod.url)).toBe(true);
  });

  test('stops and its data is removed when the process that started it is killed', async () => {
    const program = `
      import { startOwnEngine } from '${new URL('../../testing/engines/own-engine.ts', import.meta.url).href}';
      import { MongoClient } from 'mongodb';
      const { url } = await startOwnEngine('mongodb');
      const { parsed } = await new MongoClient(url).db('admin').command({ getCmdLineOpts: 1 });
      console.log(JSON.stringify({ url, folder: parsed.storage?.dbPath }));`;
    const run = spawn(process.execPath, ['--input-type=module-typescript', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: run.stdout }), 'line');
    const { url, folder } = JSON.parse(line);
    expect(await isOpen(url)).toBe(true);
    run.kill('SIGKILL');
    await until(async () => !(await isOpen(url)));
    // In Docker it is in the container, which is removed as a whole.
    if (mongod.origin.startsWith('fetched')) await until(() => !existsSync(folder));
  });
});

function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** Polls until the answer is yes; the test's timeout ends it otherwise. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await wait(20);
}
