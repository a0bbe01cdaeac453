import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { runs } from '../../test/support/engines/engine-cache.ts';
import { ofForm } from '../../test/support/form.ts';
import { useFolder, useOne } from '../../test/support/use.ts';
import { fetchPythonPackages, findIfRequired } from '../python-packages.ts';
import { startServiceWithStandIns } from '../service-with-stand-ins.ts';

/** The version that made the figures in docs/measuring.md. */
const version = '4.32.5';

/** The machine's own schemathesis, or one that is downloaded once per machine, and the environment it needs. */
const schemathesis = await findIfRequired('The fuzzing is', async () => {
  if (runs('schemathesis', ['--version'])) return { command: 'schemathesis', env: {} };
  const name = `schemathesis-${version}`;
  const { bin, env } = await fetchPythonPackages(name, [`schemathesis==${version}`], (line) => console.log(line));
  return { command: join(bin, 'schemathesis'), env };
});

/** The operation that ends the key with which it is sent. So it needs a key and a run of its own. */
const endsItsKey = 'rotateKey';

describe.skipIf(schemathesis === null)('made-up requests', () => {
  // schemathesis stores its findings in the folder where it runs.
  const folder = useFolder();
  const service = useOne(() => startServiceWithStandIns({ records: ofForm(200, 2_000), keyCount: 2 }));

  it.each([
    ['all but one', 0, '--exclude-operation-id'],
    ['the other', 1, '--include-operation-id'],
  ])('of %s of the operations are answered as the API description says', async (_, key, choice) => {
    const args = [
      ['run', `${service.url}/openapi.json`, '--header', `Authorization: Bearer ${service.keys[key]}`],
      [choice, endsItsKey],
      // Some rules are about several fields. So a request that matches the schemas may still be invalid and get 400.
      ['--checks', 'all', '--exclude-checks', 'positive_data_acceptance'],
      ['--max-examples', `${ofForm(3, 100)}`, '--seed', '1', '--continue-on-failure'],
    ].flat();
    const { command = '', env = {} } = schemathesis ?? {};
    const hooks = { SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py') };
    const options = { cwd: folder, env: { ...process.env, ...env, ...hooks } };
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    const [output, faults, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    expect(code, output + faults).toBe(0);
  });
});
