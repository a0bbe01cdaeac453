import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startServiceWithStandIns } from '../service-with-stand-ins.ts';
import type { Schemathesis } from './find-schemathesis.ts';

export interface FuzzPlan {
  /** Made-up requests of each operation. */
  cases: number;
  seed: number;
}

const records = 5_000;

/** What ends the key that it is sent with, and so gets a key and a run of its own. */
const endsItsKey = 'rotateKey';

/** Runs schemathesis against /openapi.json of a service that is started for it. */
export async function runFuzz(schemathesis: Schemathesis, plan: FuzzPlan): Promise<FuzzResult> {
  const service = await startServiceWithStandIns({ records, keyCount: 2 });
  try {
    const [key = '', otherKey = ''] = service.keys;
    const url = `${service.product.url}/openapi.json`;
    const most = await run(schemathesis, plan, [url, ...bearer(key), '--exclude-operation-id', endsItsKey]);
    const rest = await run(schemathesis, plan, [url, ...bearer(otherKey), '--include-operation-id', endsItsKey]);
    return { code: most.code || rest.code, output: most.output + rest.output };
  } finally {
    await service.close();
  }
}

interface FuzzResult {
  code: number;
  output: string;
}

function bearer(key: string): string[] {
  return ['--header', `Authorization: Bearer ${key}`];
}

async function run(
  { command, env }: Schemathesis,
  { cases, seed }: FuzzPlan,
  given: readonly string[],
): Promise<FuzzResult> {
  // schemathesis stores its findings in the folder where it runs.
  const folder = await mkdtemp(join(tmpdir(), 'masthead-fuzz-'));
  try {
    const args = [
      ['run', ...given],
      // Some rules involve several fields, so not everything that matches the schemas is valid and may get 400.
      ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
      ['--max-examples', `${cases}`, '--seed', `${seed}`],
      ['--continue-on-failure'],
    ].flat();
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore'];
    const child = spawn(command, args, { cwd: folder, env: { ...process.env, ...env }, stdio });
    const output = text(child.stdout);
    const [code] = await once(child, 'close');
    return { code: code ?? 1, output: await output };
  } finally {
    await rm(folder, { recursive: true });
  }
}
