import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { processEnvironment } from '#testing/processes.ts';
import { useFolder } from '#testing/use.ts';

const folder = useFolder();

it.skipIf(!existsSync('/dev/full'))(
  'a service whose log is on a full disk answers, and ends when it is told',
  async () => {
    const env = processEnvironment({ MASTHEAD_DATA_DIR: folder, PORT: '0' });
    const log = openSync('/dev/full', 'w');
    const service = spawn(process.execPath, ['src/main.ts'], { env, stdio: ['ignore', 'pipe', log] });
    onTestFinished(() => void service.kill('SIGKILL'));
    const ended = once(service, 'exit');
    let said = '';
    service.stdout?.on('data', (chunk) => {
      said += chunk;
    });
    await expect.poll(() => said, { timeout: 60_000 }).toMatch(/\nTry:/);
    const url = /at (http:\S+)/.exec(said)?.[1];
    expect((await fetch(`${url}/api/v1/records/none`)).status).toBe(404);
    service.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
);
