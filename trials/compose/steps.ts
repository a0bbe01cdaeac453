import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ComposeProject, until } from './compose-project.ts';

/** Does a step, and reports its result and duration. */
export async function step(name: string, work: () => Promise<void>): Promise<void> {
  const start = performance.now();
  await work();
  console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
}

/** Waits until a search finds this many: the first searches of an engine that just started may time out. */
export async function untilFound(project: ComposeProject, expected: number): Promise<void> {
  await until(`a search finds ${expected} records`, async () => {
    const { total } = await project.get('/api/v1/search');
    return total === expected;
  });
}

/** Requires that the API knows the key. */
export async function requirePro(project: ComposeProject, key: string): Promise<void> {
  const { plan } = await project.get('/api/v1/me', { Authorization: `Bearer ${key}` });
  if (plan !== 'pro') throw new Error('a key of the first start is not known any more');
}

/** Imports a file with one record in a separate container, as docs/operations.md describes. */
export async function importRecord(project: ComposeProject): Promise<void> {
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
