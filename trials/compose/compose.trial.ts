import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { buy, readOrder } from '../purchase/buyer.ts';
import { ComposeProject, listVolumes, until } from './compose-project.ts';
import { importRecord, requirePro, step, untilFound } from './steps.ts';
import { tryProduction } from './try-production.ts';

describe.skipIf(!hasDocker())('docker compose', () => {
  it.each([
    ['from nothing', tryFromNothing],
    ['without the sample', tryWithoutSample],
    ['for production', tryProduction],
  ] as const)('starts %s, and keeps everything through down, kills and restarts', async (_, tryPart) => {
    await expect(tryPart()).resolves.toBeUndefined();
  });
});

function hasDocker(): boolean {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const services = ['api', 'indexer', 'mongo', 'elasticsearch'];

async function tryFromNothing(): Promise<void> {
  const volumesBefore = await listVolumes();
  const project = new ComposeProject();
  try {
    await step('the first `up --wait`, the image built', () => project.up());
    await untilFound(project, 5_000);
    const keys = [await issueKey(project), await buyKey(project)];

    await step('`down`', async () => void (await project.compose('down')));
    const left = (await listVolumes()).filter((name) => !volumesBefore.includes(name));
    if (left.length !== 3) throw new Error(`\`down\` leaves ${left.length} volumes in place of 3: ${left.join(', ')}`);
    await step('`up --wait` again', () => project.up());
    await untilFound(project, 5_000);
    for (const key of keys) await requirePro(project, key);

    for (const service of services) {
      await step(`the program of ${service} killed, until all is healthy again`, async () => {
        await crash(project, service);
        await until(`${service} is back`, () => project.isHealthy());
        await untilFound(project, 5_000);
      });
    }
    await step('`kill` of all containers, then `up --wait`', async () => {
      await project.compose('kill');
      await project.up();
      await untilFound(project, 5_000);
    });
    for (const key of keys) await requirePro(project, key);

    await step('a first import of one record, until it alone is found', async () => {
      await importRecord(project);
      await untilFound(project, 1);
    });
    await sayHowMuchIsLogged(project);
  } finally {
    await project.remove();
  }
}

async function tryWithoutSample(): Promise<void> {
  const project = new ComposeProject({ env: { SAMPLE_RECORDS: '0' } });
  try {
    await step('`up --wait` with SAMPLE_RECORDS=0', () => project.up());
    await untilFound(project, 0);
  } finally {
    await project.remove();
  }
}

/** By the command that the API names at its start, whose prefix is for the project of docker-compose.yml itself. */
async function issueKey(project: ComposeProject): Promise<string> {
  const log = await project.compose('logs', '--no-log-prefix', 'api');
  const [, command] = /KEY=\$\(docker compose (.*?)\)/.exec(log) ?? [];
  if (command === undefined) throw new Error('the API names no command that issues a key');
  return (await project.compose(...command.split(' '))).trim();
}

/** By a purchase in the sandbox. */
async function buyKey(project: ComposeProject): Promise<string> {
  const url = await project.url();
  const { api_key: key } = await readOrder(() => url, await buy(() => url));
  if (key === undefined) throw new Error('a paid order gives no key');
  return key;
}

/** Kills the program of a container with SIGKILL, as a lack of memory does. After `docker kill` Docker would not restart it. */
async function crash(project: ComposeProject, service: string): Promise<void> {
  const before = await project.startOf(service);
  await project.killProgram(service);
  await until(`${service} is started again`, async () => (await project.startOf(service)) !== before);
}

async function sayHowMuchIsLogged(project: ComposeProject): Promise<void> {
  const count = async (...of: string[]) => (await project.compose('logs', ...of)).split('\n').length - 1;
  console.log(`lines in \`docker compose logs\`: ${await count()}; of each service:`);
  for (const service of services) console.log(`  ${service}: ${await count(service)}`);
}
