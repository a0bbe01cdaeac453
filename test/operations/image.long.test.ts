import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findFreePort } from '#testing/engines/free-port.ts';
import { ImageProcesses } from '#testing/image-processes.ts';
import { type LaidOutImage, layOutImage } from '#testing/lay-out-image.ts';
import { describeInDocker, findDockerForImage } from './describe-in-docker.ts';

const root = join(import.meta.dirname, '../..');
const waiting = { timeout: 60_000, interval: 20 };

/* What the Dockerfile copies, started like a container would, without Docker. */
describe.skipIf(process.platform === 'win32')('the image', { timeout: 120_000 }, () => {
  let image: LaidOutImage;
  let processes: ImageProcesses;
  beforeAll(() => {
    image = layOutImage(root);
    processes = new ImageProcesses(image);
  });
  afterEach(() => processes.killAll());
  afterAll(() => image?.remove());

  it.each(['src/indexer.ts', 'src/admin.ts'])('has everything that %s needs', async (program) => {
    expect(await processes.run(['node', program, '--help'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('Usage'),
    });
  });

  it('serves with its own command, is healthy while it does, and exits when told to', async () => {
    const env = { HOST: '127.0.0.1', PORT: String(await findFreePort()) };
    expect(await processes.run(image.healthCheck, env)).toMatchObject({ code: 1 });
    const api = processes.start(image.command, env);
    await expect.poll(() => api.output(), waiting).toContain('Masthead serves 5,000 records');
    expect(await processes.run(image.healthCheck, env)).toEqual({ code: 0, output: '' });
    const answer = await fetch(`http://127.0.0.1:${env.PORT}/`);
    expect(await answer.text()).toContain('<title>Masthead');
    api.child.kill('SIGTERM');
    expect(await api.ended).toBe(0);
    expect(await processes.run(image.healthCheck, env)).toMatchObject({ code: 1 });
  });

  it('can run the command in its startup message, unchanged', async () => {
    const api = processes.start(image.command, { HOST: '127.0.0.1', PORT: '0' });
    await expect.poll(() => api.output(), waiting).toContain('\nTry:');
    const [, issue = ''] = /KEY=\$\((.*?)\)/.exec(api.output()) ?? [];
    expect(await processes.run(['sh', '-c', issue])).toEqual({ code: 0, output: expect.stringMatching(/^mh_\S+\n/) });
  });
});

// Not skipped without Docker: the tests above check most of the same.
const docker = await findDockerForImage();
if (docker !== null) describeInDocker(docker);
