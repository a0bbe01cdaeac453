import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
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
  const total = async () => (await project.get('/api/v1/search')).total;
  try {
    await step('the first `up --wait`, the image built', () => project.up());
    await requireTotal(total, 5_000);
    const key = await issueKey(project);

    await step('`down`', async () => void (await project.compose('down')));
    const left = (await listVolumes()).filter((name) => !volumesBefore.includes(name));
    if (left.length !== 3) throw new Error(`volumes are left that no name is given to: ${left.join(', ')}`);
    await step('`up --wait` again', () => project.up());
    await requireTotal(total, 5_000);
    const { plan } = await project.get('/api/v1/me', { Authorization: `Bearer ${key}` });
    if (plan !== 'pro') throw new Error('the key of the first start is not known any more');

    for (const service of services) {
      await step(`${service} killed, until all is healthy again`, async () => {
        await crash(project, service);
        await until(`${service} is back`, () => project.isHealthy());
        await requireTotal(total, 5_000);
      });
    }
    await step('a first import of one record, until it alone is found', async () => {
      await importRecord(project);
      await until('the sample records are gone', async () => (await total()) === 1);
    });
  } finally {
    await project.remove();
  }
}

async function tryWithoutSample(): Promise<void> {
  const project = new ComposeProject({ SAMPLE_RECORDS: '0' });
  try {
    await step('`up --wait` with SAMPLE_RECORDS=0', () => project.up());
    await requireTotal(async () => (await project.get('/api/v1/search')).total, 0);
  } finally {
    await project.remove();
  }
}

async function requireTotal(total: () => Promise<unknown>, expected: number): Promise<void> {
  const found = await total();
  if (found !== expected) throw new Error(`a search finds ${found} records in place of ${expected}`);
}

/** By the command that the API names at its start, whose prefix is for the project of docker-compose.yml itself. */
async function issueKey(project: ComposeProject): Promise<string> {
  const log = await project.compose('logs', '--no-log-prefix', 'api');
  const [, command] = /KEY=\$\(docker compose (.*?)\)/.exec(log) ?? [];
  if (command === undefined) throw new Error('the API names no command that issues a key');
  return (await project.compose(...command.split(' '))).trim();
}

/**
 * Ends the program of a container from within, as a crash does: after `docker kill` Docker does not start it again. Process
 * 1 cannot be killed by its own container; where the program itself is process 1 it takes SIGABRT.
 */
async function crash(project: ComposeProject, service: string): Promise<void> {
  // The shell ends with the rest, and so does the command.
  await project.compose('exec', '-T', service, 'sh', '-c', 'kill -ABRT 1; kill -KILL -1').catch(() => {});
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
