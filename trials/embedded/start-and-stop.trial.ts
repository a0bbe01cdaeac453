import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processEnvironment } from '../../test/support/process-environment.ts';
import { type ServiceProcess, startService } from '../../test/support/run-service.ts';

describe('npm start', () => {
  let folder: string;
  let service: ServiceProcess | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'masthead-start-'));
  });
  afterAll(async () => {
    service?.process.kill('SIGKILL');
    await service?.ended;
    await rm(folder, { recursive: true });
  });

  it('loads the sample completely or, if it is killed before, not at all', async () => {
    const dataDir = join(folder, 'killed');
    const child = spawn(process.execPath, ['src/main.ts'], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      env: processEnvironment({ PORT: '0', MASTHEAD_DATA_DIR: dataDir }),
      stdio: 'ignore',
    });
    const ended = once(child, 'close');
    const countRecords = () => {
      try {
        const reader = new DatabaseSync(join(dataDir, 'masthead.db'), { readOnly: true });
        try {
          return Number(reader.prepare('SELECT count(*) AS count FROM records').get()?.count);
        } finally {
          reader.close();
        }
      } catch {
        return 0; // Not there yet.
      }
    };
    let count = countRecords();
    while (count === 0 && child.exitCode === null) {
      await nextTurn();
      count = countRecords();
    }
    child.kill('SIGKILL');
    await ended;
    expect(count).toBe(5000);
  });

  it('under load gives no broken or failing answer while it stops', async () => {
    const started = await startService({ MASTHEAD_DATA_DIR: join(folder, 'data'), RATE_LIMIT_ANONYMOUS: '100000' });
    service = started;
    let answered = 0;
    const askUntilRefused = async () => {
      for (;;) {
        const answer = await fetch(`${started.url}/api/v1/search?q=radio`, { headers: { Connection: 'close' } }).catch(
          () => null,
        );
        if (answer === null) return;
        expect(answer.status).toBe(200);
        expect(await answer.json()).toMatchObject({ page: 1 });
        answered += 1;
        if (answered === 100) started.process.kill('SIGTERM');
      }
    };
    await Promise.all(Array.from({ length: 8 }, askUntilRefused));
    expect(answered).toBeGreaterThanOrEqual(100);
    expect(await started.ended).toBe(0);
  });
});
