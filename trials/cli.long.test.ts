import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { processEnvironment } from '../testing/process-environment.ts';

const cli = fileURLToPath(new URL('./cli.ts', import.meta.url));
const options = { env: processEnvironment({ NO_COLOR: '1' }) };
const runTrials = (...args: string[]) =>
  promisify(execFile)(process.execPath, [cli, ...args], options).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: `${stdout}${stderr}` }),
  );

it('npm run trials -- --short starts vitest with the configuration of the trials', async () => {
  const { code, output } = await runTrials('--short', 'a-trial-that-does-not-exist');
  expect(output).toContain('No test files found');
  expect(output).toContain('filter: a-trial-that-does-not-exist');
  expect(output).toContain('trials/**/*.trial.ts');
  expect(code).toBe(1);
});

it.each([[['--short', 'pages']], [['pages', '--short']]])(
  'npm run trials -- %s runs short forms, of which pages has none',
  async (args) => {
    const { code, output } = await runTrials(...args);
    expect(output).toContain('filter: pages');
    expect(code).toBe(1);
  },
);

it('npm run trials refuses a trial that does not exist, and lists those that do', async () => {
  const { code, output } = await runTrials('a-trial-that-does-not-exist');
  expect(output).toContain('outage');
  expect(code).toBe(1);
});

it('npm run trials -- failover --only refuses a drill that does not exist, and lists those that do', async () => {
  const { code, output } = await runTrials('failover', '--only', 'a drill that does not exist');
  expect(output).toContain('MongoDB primary killed, MongoDB primary paused');
  expect(code).toBe(1);
});
