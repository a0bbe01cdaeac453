import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findFreePort } from '../../testing/engines/free-port.ts';
import { ImageProcesses } from '../../testing/image-processes.ts';
import { type LaidOutImage, layOutImage } from '../../testing/lay-out-image.ts';
import { openProduction, type Production } from '../../testing/open-production.ts';
import { elasticsearch, mongodb } from '../breakable-engines.ts';

const root = join(import.meta.dirname, '../..');
// A check is a separate process, which takes processor time from what it waits for.
const waiting = { timeout: 60_000, interval: 500 };
const canRun = process.platform !== 'win32' && mongodb !== null && elasticsearch !== null;

/* What the Dockerfile copies, started like docker-compose.yml does, without Docker. */
describe.skipIf(!canRun)('the image with the commands of docker-compose.yml', () => {
  let image: LaidOutImage;
  let processes: ImageProcesses;
  beforeAll(() => {
    image = layOutImage(root);
    processes = new ImageProcesses(image);
  });
  afterEach(() => processes.killAll());
  afterAll(() => image?.remove());

  const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
  let production: Production;
  let env: Record<string, string>;
  let dataDir: string;
  beforeEach(async () => {
    production = await openProduction({ mongodb: mongodb?.url ?? '', elasticsearch: elasticsearch?.url ?? '' });
    await production.whenPrepared();
    dataDir = mkdtempSync(join(tmpdir(), 'masthead-image-data-'));
    env = {
      ...production.settings,
      MASTHEAD_DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(await findFreePort()),
    };
  });
  afterEach(async () => {
    await production.close();
    rmSync(dataDir, { recursive: true });
  });

  /** A list, or a line in which compose writes $$ for $. */
  const commandOf = (name: string): string[] =>
    [...services[name].entrypoint, ...services[name].command].map((word: string) => word.replaceAll('$$', '$'));
  const checkOf = (name: string): string[] => {
    const [form, ...words]: string[] = services[name].healthcheck.test;
    const filled = words.map((word) => word.replaceAll('$$', '$').replace(':3000/', `:${env.PORT}/`));
    return form === 'CMD' ? filled : ['sh', '-c', ...filled];
  };

  it.each([
    ['fills a new database with sample records', '20', 20],
    ['serves an empty database where no sample records are asked for', '0', 0],
  ])('%s, and is healthy', async (_, count, records) => {
    const indexerEnv = { ...env, SAMPLE_RECORDS: count, METRICS_PORT: String(await findFreePort()) };
    const api = processes.start(commandOf('api'), env);
    const indexer = processes.start(commandOf('indexer'), indexerEnv);
    const check = (name: string) => processes.run(checkOf(name), indexerEnv);
    for (const name of ['indexer', 'api']) {
      await expect.poll(() => check(name), waiting).toEqual({ code: 0, output: '' });
    }
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/api/v1/search`);
    expect(await answer.json()).toMatchObject({ total: records });
    for (const { child, ended } of [api, indexer]) {
      child.kill('SIGTERM');
      expect(await ended).toBe(0);
    }
    for (const name of ['indexer', 'api']) expect(await check(name)).toMatchObject({ code: 1 });
  });
});
