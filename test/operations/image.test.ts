import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { parse } from 'yaml';
import { findFreePort } from '#testing/engines/free-port.ts';
import { openProduction, type Production } from '#testing/open-production.ts';
import { describeInDocker, findDockerForImage } from './describe-in-docker.ts';
import { type LaidOutImage, layOutImage } from './lay-out-image.ts';

const root = join(import.meta.dirname, '../..');
const waiting = { timeout: 60_000, interval: 100 };

/* What the Dockerfile copies, started as a container would start it, without Docker. */
describe.skipIf(process.platform === 'win32')('the image', { timeout: 120_000 }, () => {
  let image: LaidOutImage;
  const running: Running[] = [];
  beforeAll(() => {
    image = layOutImage(root);
  });
  afterEach(async () => {
    for (const { child, ended } of running.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
  });
  afterAll(() => image?.remove());

  interface Running {
    child: ReturnType<LaidOutImage['run']>;
    /** Resolves with its exit code, or the signal that ended it. */
    ended: Promise<number | string>;
    output(): string;
  }

  function start(command: readonly string[], env: Record<string, string>): Running {
    const child = image.run(command, env);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    const started = {
      child,
      ended: once(child, 'close').then(([code, signal]) => code ?? signal),
      output: () => output,
    };
    running.push(started);
    return started;
  }

  /** Runs a command to its end. */
  async function run(command: readonly string[], env: Record<string, string> = {}) {
    const { ended, output } = start(command, env);
    return { code: await ended, output: output() };
  }

  it.each(['src/indexer.ts', 'src/admin.ts'])('has all that %s needs', async (program) => {
    expect(await run(['node', program, '--help'])).toMatchObject({ code: 0, output: expect.stringContaining('Usage') });
  });

  it('serves by its own command, is healthy while it does, and ends when it is told to', async () => {
    const env = { HOST: '127.0.0.1', PORT: String(await findFreePort()) };
    expect(await run(image.healthCheck, env)).toMatchObject({ code: 1 });
    const api = start(image.command, env);
    await expect.poll(() => api.output(), waiting).toContain('Masthead serves 5,000 records');
    expect(await run(image.healthCheck, env)).toEqual({ code: 0, output: '' });
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/`);
    expect(await answer.text()).toContain('<title>Masthead');
    api.child.kill('SIGTERM');
    expect(await api.ended).toBe(0);
    expect(await run(image.healthCheck, env)).toMatchObject({ code: 1 });
  });

  it('can run the command that its start text names, as it stands there', async () => {
    const api = start(image.command, { HOST: '127.0.0.1', PORT: '0' });
    await expect.poll(() => api.output(), waiting).toContain('\nTry:');
    const [, issue = ''] = /KEY=\$\((.*?)\)/.exec(api.output()) ?? [];
    expect(await run(['sh', '-c', issue])).toEqual({ code: 0, output: expect.stringMatching(/^mh_\S+\n/) });
  });

  const { mongodb, elasticsearch } = inject('engines');
  describe.skipIf(!mongodb || !elasticsearch)('with the commands of docker-compose.yml, on engines', () => {
    const { services } = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true });
    let production: Production;
    let env: Record<string, string>;
    let dataDir: string;
    beforeEach(async () => {
      production = await openProduction({ mongodb: mongodb ?? '', elasticsearch: elasticsearch ?? '' });
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
      const api = start(commandOf('api'), env);
      const indexer = start(commandOf('indexer'), indexerEnv);
      const check = (name: string) => run(checkOf(name), indexerEnv);
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
});

// Not skipped where there is none: the tests above hold the image to most of the same.
const docker = await findDockerForImage();
if (docker !== null) describeInDocker(docker);
