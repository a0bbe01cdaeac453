import { join } from 'node:path';
import { fetchPythonPackages, runs } from '../python-packages.ts';

/** The one that the figures of docs/measuring.md were taken with. */
const version = '4.32.5';

/** A program and the environment it needs in addition to the machine's. */
export interface Schemathesis {
  command: string;
  env: Record<string, string>;
}

/**
 * The machine's own schemathesis, or one downloaded from the Python package index to a separate folder, once per
 * machine.
 *
 * @throws Error that says what to install.
 */
export async function findSchemathesis(log: (line: string) => void): Promise<Schemathesis> {
  if (runs('schemathesis', ['--version'])) return { command: 'schemathesis', env: {} };
  const { bin, env } = await fetchPythonPackages(`schemathesis-${version}`, [`schemathesis==${version}`], log);
  return { command: join(bin, 'schemathesis'), env };
}
