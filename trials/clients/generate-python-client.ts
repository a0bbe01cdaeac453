import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fetchPythonPackages, type PythonPackages } from '../python-packages.ts';

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const requirements = inRepository('clients/python/requirements.txt');

/** openapi-python-client and all that it and its clients need, in the versions of clients/python/requirements.txt. */
export async function findPythonGenerator(log: (line: string) => void): Promise<PythonPackages> {
  const versions = createHash('sha256')
    .update(await readFile(requirements))
    .digest('hex');
  return fetchPythonPackages(`openapi-python-client-${versions.slice(0, 12)}`, ['-r', requirements], log);
}

/**
 * Makes the Python client from docs/openapi.json in a folder. Returns the environment in which programs can import it.
 *
 * @throws Error with what the generator says, also if it leaves something out.
 */
export async function generatePythonClient(
  { bin, env }: PythonPackages,
  folder: string,
): Promise<{ PYTHONPATH: string }> {
  const output = join(folder, 'masthead_client');
  const args = ['generate', '--fail-on-warning', '--meta', 'none', '--output-path', output];
  const given = ['--config', inRepository('clients/python/generator.yml'), '--path', inRepository('docs/openapi.json')];
  await promisify(execFile)(join(bin, 'openapi-python-client'), [...args, ...given], {
    env: { ...process.env, ...env },
  });
  return { PYTHONPATH: [folder, env.PYTHONPATH].join(delimiter) };
}
