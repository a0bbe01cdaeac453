import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { buy, readOrder } from '#trials/purchase/buyer.ts';
import { ComposeProject, listVolumes, until } from './compose-project.ts';

export const composeCommand = new Command('compose')
  .description(
    'Runs docker-compose.yml on a machine with Docker: first start, down and up, killed containers, an import',
  )
  .action(async () => {
    await tryFromNothing();
    await tryWithoutSample();
  });

const services = ['api', 'indexer', 'mongo', 'elasticsearch'];

/** Does a step, and says how it went and how long it took. */
async function step(name: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await work();
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

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
  const project = new ComposeProject({ SAMPLE_RECORDS: '0' });
  try {
    await step('`up --wait` with SAMPLE_RECORDS=0', () => project.up());
    await untilFound(project, 0);
  } finally {
    await project.remove();
  }
}

/** Waits until a search finds so many: the first searches of an engine that has just started may take too long. */
async function untilFound(project: ComposeProject, expected: number): Promise<void> {
  await until(`a search finds ${expected} records`, async () => {
    const { total } = await project.get('/api/v1/search');
    return total === expected;
  });
}

async function requirePro(project: ComposeProject, key: string): Promise<void> {
  const { plan } = await project.get('/api/v1/me', { Authorization: `Bearer ${key}` });
  if (plan !== 'pro') throw new Error('a key of the first start is not known any more');
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

/**
 * Ends the program of a container from within, as a crash does: after `docker kill` Docker does not start it again. Process
 * 1 cannot be killed by its own container; where the program itself is process 1 it takes SIGABRT.
 */
async function crash(project: ComposeProject, service: string): Promise<void> {
  const startedAt = () => project.startOf(service);
  const before = await startedAt();
  // The shell ends with the rest, and so does the command.
  await project.compose('exec', '-T', service, 'sh', '-c', 'kill -ABRT 1; kill -KILL -1').catch(() => {});
  await until(`${service} is started again`, async () => (await startedAt()) !== before);
}

async function sayHowMuchIsLogged(project: ComposeProject): Promise<void> {
  const count = async (...of: string[]) => (await project.compose('logs', ...of)).split('\n').length - 1;
  console.log(`lines in \`docker compose logs\`: ${await count()}; of each service:`);
  for (const service of services) console.log(`  ${service}: ${await count(service)}`);
}

async function importRecord(project: ComposeProject): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'masthead-import-'));
  try {
    const file = join(folder, 'own.csv');
    await writeFile(file, 'id,kind,name\nown-1,outlet,The Times\n', { mode: 0o644 });
    const command = ['npm', 'run', '--silent', 'indexer', '--', 'import', '/in/own.csv'];
    await project.compose('run', '--rm', '-T', '-v', `${file}:/in/own.csv:ro`, 'indexer', ...command);
  } finally {
    await rm(folder, { recursive: true });
  }
}
