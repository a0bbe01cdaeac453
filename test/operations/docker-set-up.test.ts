import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { settings } from '#src/settings/settings.ts';
import { useFolder, useFolders } from '#testing/use.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

const compose: { services: Record<string, { environment?: Record<string, string> }> } = parse(
  read('docker-compose.yml'),
  { merge: true },
);
/** Variables of the setup alone, which no Masthead program reads. */
const ofTheSetUp = ['SAMPLE_RECORDS'];

/** `${NAME:-default}` as compose resolves it if NAME is not set. */
const variable = /(?<!\$)\$\{([A-Z_]+)(?::-([^}]*))?\}/g;

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl || process.platform === 'win32')('docker/production/make-secrets.sh', () => {
  const folder = join(useFolder(), 'secrets');
  beforeAll(() => {
    execFileSync('sh', [join(root, 'docker/production/make-secrets.sh'), folder], { stdio: 'pipe' });
    writeFileSync(join(folder, 'stripe-secret-key'), 'sk_live_abc123\n');
    writeFileSync(join(folder, 'stripe-webhook-secret'), 'whsec_abc123\n');
  });

  it('keeps the secrets private on the machine, and creates each of them once', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'ca.key')).mode & 0o777).toBe(0o400);
    const before = readFileSync(join(folder, 'key-pepper'), 'utf8');
    const said = execFileSync('sh', [join(root, 'docker/production/make-secrets.sh'), folder], { encoding: 'utf8' });
    expect(said).toBe('');
    expect(readFileSync(join(folder, 'key-pepper'), 'utf8')).toBe(before);
  });
});

describe('docker/start-indexer.sh', () => {
  const newFolder = useFolders();

  /** Runs it in a real shell, with a program `node` that only notes its arguments, or fails at one of the commands. */
  function start(failing: string) {
    const folder = newFolder();
    const log = join(folder, 'log');
    const stub = `#!/bin/sh\necho "$@" >> '${log}'\ncase "$*" in *'${failing}'*) exit 3;; *--output*) : > "$5";; esac\n`;
    writeFileSync(join(folder, 'node'), stub, { mode: 0o755 });
    const env = { PATH: `${folder}:/usr/bin:/bin`, MASTHEAD_DATA_DIR: folder, SAMPLE_RECORDS: '7' };
    const { status } = spawnSync('sh', ['docker/start-indexer.sh'], { cwd: root, env });
    const ran = readFileSync(log, 'utf8').replaceAll(folder, '').trim().split('\n');
    const left = ['sample-loaded', 'sample.ndjson'].filter((name) => existsSync(join(folder, name)));
    return { status, ran, left };
  }
  const sample = 'indexer/main.ts sample 7 --output /sample.ndjson';
  const load = 'indexer/main.ts import --keep-sample /sample.ndjson';

  it('loads the sample once, then syncs', () => {
    const { status, ran, left } = start('nothing');
    expect(ran).toEqual([sample, load, expect.stringMatching(/indexer\/main\.ts sync$/)]);
    expect([status, left]).toEqual([0, ['sample-loaded']]);
  });

  it.each([
    ['sample 7', [sample]],
    ['import', [sample, load]],
  ])('fails where %s fails, and loads the sample at the next start', (failing, expected) => {
    const { status, ran, left } = start(failing);
    expect([status, ran]).toEqual([3, expected]);
    expect(left).not.toContain('sample-loaded');
  });
});

describe.skipIf(process.platform === 'win32')('docker/back-up.sh', () => {
  const newFolder = useFolders();
  const monthOld = new Date(Date.now() - 30 * 86_400_000);

  it.each([
    [0, ['young.masthead.gz', 'another.gz']],
    [3, ['old.masthead.gz', 'young.masthead.gz', 'another.gz']],
  ])('with a copy that ends with %i, leaves %j', (status, kept) => {
    const [folder, programs] = [newFolder(), newFolder()];
    for (const name of ['old.masthead.gz', 'young.masthead.gz', 'another.gz']) writeFileSync(join(folder, name), '');
    for (const name of ['old.masthead.gz', 'another.gz']) utimesSync(join(folder, name), monthOld, monthOld);
    writeFileSync(join(programs, 'docker'), `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
    const env = { PATH: `${programs}:/usr/bin:/bin` };
    expect(spawnSync('sh', [join(root, 'docker/back-up.sh'), folder], { env }).status).toBe(status);
    expect(readdirSync(folder).toSorted()).toEqual(kept.toSorted());
  });
});

describe('.env.example', () => {
  const lines = read('.env.example').split('\n');
  const offered = lines.flatMap((line) => /^#([A-Z_]+)=/.exec(line)?.slice(1) ?? []);

  it('offers every setting that docker-compose.yml does not fix, and no other', () => {
    const fixed = Object.entries(compose.services.api?.environment ?? {})
      .filter(([, value]) => !value.includes('$'))
      .map(([name]) => name);
    const expected = [...Object.keys(settings).filter((name) => !fixed.includes(name)), ...ofTheSetUp];
    expect(offered.toSorted()).toEqual(expected.toSorted());
  });

  it('shows the defaults of the settings', () => {
    const shown = lines.flatMap((line) => (/^#[A-Z_]+=./.test(line) ? [line.slice(1).split('=')] : []));
    for (const [name = '', value = ''] of shown) {
      const byCompose = [...read('docker-compose.yml').matchAll(variable)].find(([, known]) => known === name)?.[2];
      const setting = settings[name as keyof typeof settings] as { default: string | null } | undefined;
      expect([byCompose, setting?.default, 'privacy@example.org'], name).toContain(value);
    }
  });
});

describe.skipIf(process.platform === 'win32')('docker/with-key-pepper.sh', () => {
  const dataDir = useFolder();
  const run = (pepper: string, others = {}) =>
    execFileSync('sh', ['docker/with-key-pepper.sh', 'sh', '-c', 'printf %s "$KEY_PEPPER"'], {
      cwd: root,
      encoding: 'utf8',
      env: {
        PATH: `${join(process.execPath, '..')}:/usr/bin:/bin`,
        MASTHEAD_DATA_DIR: dataDir,
        KEY_PEPPER: pepper,
        ...others,
      },
    });

  it('gives the program the configured pepper, or the one in the data folder', () => {
    const given = 'a pepper of more than 32 characters';
    expect(run(given)).toBe(given);
    expect(run('', { KEY_PEPPER_FILE: '/run/secrets/key-pepper' })).toBe('');
    expect(existsSync(join(dataDir, 'key-pepper'))).toBe(false);
    const made = run('');
    expect(made).toMatch(/^[0-9a-f]{64}$/);
    expect(run('')).toBe(made);
    expect(statSync(join(dataDir, 'key-pepper')).mode & 0o777).toBe(0o600);
  });
});
