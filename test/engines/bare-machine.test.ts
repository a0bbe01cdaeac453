import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);

test('without Docker, Python, Java and Maven, one line per engine says what would help', async () => {
  const cache = mkdtempSync(join(tmpdir(), 'masthead-bare-'));
  // Open to others, so that root takes this cache and not the machine's.
  chmodSync(cache, 0o755);
  const started = run(process.execPath, [join(import.meta.dirname, '../../testing/engines/cli.ts')], {
    env: { PATH: cache, HOME: cache, XDG_CACHE_HOME: cache, MASTHEAD_TEST_DOCKER: 'off' },
  });
  const failure = await started.then(
    () => null,
    (error: { code: number; stderr: string }) => error,
  );
  rmSync(cache, { recursive: true });
  expect(failure?.code).toBe(1);
  expect(failure?.stderr.trim().split('\n')).toEqual([
    expect.stringMatching(
      /^no MongoDB for tests \(Docker is turned off; there is no Python with pip to fetch it\)\. To have one: start Docker, or install Python/,
    ),
    expect.stringMatching(
      /^no Elasticsearch for tests \(Docker is turned off; there is no Java 17 or newer to run it\)\. To have one: start Docker, or install Java/,
    ),
  ]);
});
