import { join } from 'node:path';
import { type ContainerRuntimeClient, GenericContainer, Wait } from 'testcontainers';
import { beforeAll, describe, expect, it } from 'vitest';
import { findDocker, onLoopback, reachableHost } from '#testing/engines/docker-engines.ts';
import { readTestSettings } from '#testing/engines/test-settings.ts';

const root = join(import.meta.dirname, '../..');
const name = 'masthead-under-test';

/** Docker with the base image; null, with a reason, if it is unavailable. */
export async function findDockerForImage(): Promise<ContainerRuntimeClient | null> {
  if (readTestSettings().engines === 'off') return null;
  return findDocker('node:24-bookworm-slim').catch((error) => {
    console.log(`The image is not built: ${error.message}.`);
    return null;
  });
}

/** Tests of the image as Docker builds and runs it, for a test file that has other tests without Docker. */
export function describeInDocker(docker: ContainerRuntimeClient): void {
  describe('the image in Docker', { timeout: 120_000 }, () => {
    beforeAll(() => GenericContainer.fromDockerfile(root).build(name, { deleteOnExit: false }), 600_000);

    it('serves sample records as an unprivileged user, and has the commands', async () => {
      const host = docker.info.containerRuntime.host;
      const published = await onLoopback(new GenericContainer(name).withExposedPorts(3000), host);
      const container = await published.withWaitStrategy(Wait.forHealthCheck()).start();
      try {
        const url = `http://${reachableHost(host)}:${container.getMappedPort(3000)}`;
        expect(await (await fetch(`${url}/api/v1/search`)).json()).toMatchObject({ total: 5_000 });
        expect((await container.exec(['id', '-un'])).output.trim()).toBe('node');
        expect((await container.exec(['touch', '/app/src/x', '/app/x'])).exitCode).toBe(1);
        const issue = 'npm run --silent admin -- keys issue --tier pro --days 30';
        const issued = await container.exec(issue.split(' '));
        expect(issued).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^mh_\S+\n$/) });
        const headers = { Authorization: `Bearer ${issued.stdout.trim()}` };
        expect(await (await fetch(`${url}/api/v1/me`, { headers })).json()).toMatchObject({ plan: 'pro' });
      } finally {
        await container.stop();
      }
    });

    it.each([
      ['the service', undefined, {}, 0],
      // It waits for engines that have no address.
      ['a command that waits', ['node', 'indexer/main.ts', 'sync'], engines(), 143],
    ])('%s exits as process 1 when Docker stops it, without being killed', async (_, command, env, code) => {
      const started = new GenericContainer(name).withEnvironment(env).withAutoRemove(false);
      if (command !== undefined) started.withCommand(command);
      const container = await started.withWaitStrategy(Wait.forLogMessage(/Try:|; waiting/)).start();
      const handle = docker.container.getById(container.getId());
      try {
        await container.stop({ remove: false, timeout: 60_000 });
        expect((await handle.inspect()).State.ExitCode).toBe(code);
      } finally {
        await handle.remove({ force: true, v: true });
      }
    });
  });
}

/** Engines that are not there. */
function engines() {
  return {
    MONGODB_URI: 'mongodb://127.0.0.1:1/masthead',
    ELASTICSEARCH_URL: 'http://127.0.0.1:1',
    KEY_PEPPER: 'only for tests, and long enough for one',
  };
}
