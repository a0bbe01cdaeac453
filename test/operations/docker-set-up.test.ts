import { execFileSync, spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, secretSettings, settings } from '#src/settings/config.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Service {
  image?: string;
  environment?: Record<string, string>;
  ports?: string[];
  command?: string[];
  secrets?: unknown[];
  networks?: string[];
  mem_limit?: string;
}
interface Compose {
  services: Record<string, Service>;
  secrets?: Record<string, { file: string }>;
}
const compose: Compose = parse(read('docker-compose.yml'), { merge: true });
const ours = ['api', 'indexer'];
/** Variables of the setup alone, which no Masthead program reads. */
const ofTheSetUp = ['SAMPLE_RECORDS'];

/** `${NAME:-default}` as compose resolves it if NAME is not set. */
const variable = /(?<!\$)\$\{([A-Z_]+)(?::-([^}]*))?\}/g;

function environmentOf(service: string): Record<string, string> {
  const entries = Object.entries(compose.services[service]?.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, value.replace(variable, '$2')]));
}

describe('docker-compose.yml', () => {
  it.each(ours)('gives %s settings that exist, with valid values', (service) => {
    const environment = environmentOf(service);
    const unknown = Object.keys(environment).filter((name) => !(name in settings) && !ofTheSetUp.includes(name));
    expect(unknown).toEqual([]);
    const config = loadConfig({ ...environment, KEY_PEPPER: 'x'.repeat(64) });
    expect(config).toMatchObject({
      mongoUri: 'mongodb://mongo:27017/masthead?replicaSet=rs0',
      elasticsearch: { nodes: ['http://elasticsearch:9200'] },
      payments: { kind: 'sandbox' },
    });
  });

  it('publishes every port on loopback only', () => {
    const ports = Object.values(compose.services).flatMap(({ ports: published = [] }) => published);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  it('publishes the port that the service listens on', () => {
    const { port } = loadConfig({ ...environmentOf('api'), KEY_PEPPER: 'x'.repeat(64) });
    expect(compose.services.api?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(read('Dockerfile')).toContain(`EXPOSE ${port}\n`);
  });

  it('limits the memory of each service', () => {
    for (const [name, { mem_limit }] of Object.entries(compose.services)) expect(mem_limit, name).toMatch(/^\dg$/);
  });

  it('pins each image to a version', () => {
    const images = Object.values(compose.services).flatMap(({ image }) => (image === 'masthead' ? [] : [image]));
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d/);
  });

  it('runs programs that exist', () => {
    const commands = ours.map((service) => compose.services[service]?.command?.join(' ') ?? '');
    const programs = commands.flatMap((command) => command.match(/\b\S+\.(?:ts|sh)\b/g) ?? []);
    expect(programs.length).toBeGreaterThan(1);
    for (const program of programs) expect(existsSync(join(root, program)), program).toBe(true);
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;

describe.skipIf(!hasOpenssl || process.platform === 'win32')('docker-compose.production.yml', () => {
  const production: Compose = parse(read('docker-compose.production.yml'), { merge: true });
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'masthead-secrets-'));
    execFileSync('sh', [join(root, 'docker/production/make-secrets.sh'), folder], { stdio: 'pipe' });
    writeFileSync(join(folder, 'stripe-secret-key'), 'sk_live_abc123\n');
    writeFileSync(join(folder, 'stripe-webhook-secret'), 'whsec_abc123\n');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(ours)('gives %s settings that exist, and every secret as a file', (service) => {
    const { environment = {}, secrets = [] } = production.services[service] ?? {};
    const names = Object.keys(environment).map((name) => name.replace(/(?<!_CA)_FILE$/, ''));
    expect(names.filter((name) => !(name in settings))).toEqual([]);
    // It contains no password here.
    expect(names.filter((name) => name in environment && secretSettings.includes(name))).toEqual(['ELASTICSEARCH_URL']);
    for (const path of Object.values(environment).filter((value) => value.startsWith('/run/secrets/'))) {
      expect(secrets).toContain(basename(path));
    }
  });

  it('starts with the secrets that make-secrets.sh creates', () => {
    const environment = Object.entries(production.services.api?.environment ?? {}).map(([name, value]) => [
      name,
      value.replace('/run/secrets', folder).replace(/^\$\{PUBLIC_URL.*/, 'https://media.example.org'),
    ]);
    const config = loadConfig({ ...Object.fromEntries(environment), CONTACT_EMAIL: 'a@example.org', TRUST_PROXY: '1' });
    expect(config).toMatchObject({
      mongoUri: expect.stringMatching(/^mongodb:\/\/masthead:[0-9a-f]{48}@mongo:27017\/masthead\?.*tls=true/),
      keyPepper: expect.stringMatching(/^[0-9a-f]{64}$/),
      payments: { kind: 'provider', provider: { name: 'stripe' } },
    });
  });

  it('keeps the secrets private on the machine, and creates each of them once', () => {
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, 'ca.key')).mode & 0o777).toBe(0o400);
    const before = readFileSync(join(folder, 'key-pepper'), 'utf8');
    const said = execFileSync('sh', [join(root, 'docker/production/make-secrets.sh'), folder], { encoding: 'utf8' });
    expect(said).toBe('');
    expect(readFileSync(join(folder, 'key-pepper'), 'utf8')).toBe(before);
  });

  it('has certificates signed by its own authority for the names of the engines', () => {
    const authority = new X509Certificate(readFileSync(join(folder, 'ca.crt')));
    for (const server of ['mongo', 'elasticsearch']) {
      const certificate = new X509Certificate(readFileSync(join(folder, `${server}.crt`)));
      expect(certificate.verify(authority.publicKey)).toBe(true);
      expect(certificate.checkHost(server)).toBe(server);
    }
  });

  it('uses only secrets that are created, and makes none public', () => {
    for (const { file } of Object.values(production.secrets ?? {})) {
      expect(existsSync(join(folder, basename(file))), file).toBe(true);
    }
    expect(read('.gitignore').split('\n')).toContain('secrets/');
  });

  it('publishes only the port of the API, on loopback, and limits the memory of each service', () => {
    expect(Object.keys(production.services).length).toBeGreaterThan(3);
    for (const [name, { ports = [], mem_limit, networks = [] }] of Object.entries(production.services)) {
      expect(ports, name).toEqual(name === 'api' ? ['127.0.0.1:3000:3000'] : []);
      expect(mem_limit, name).toMatch(/^\dg$/);
      expect(networks, name).toContain('engines');
    }
  });

  it('runs the same images and programs as the trial setup', () => {
    for (const [name, { image }] of Object.entries(production.services)) {
      expect(image).toBe(compose.services[name]?.image);
    }
    expect(production.services.api?.command).toEqual(compose.services.api?.command);
    expect(existsSync(join(root, production.services.indexer?.command?.at(-2) ?? ''))).toBe(true);
  });
});

describe('docker/start-indexer.sh', () => {
  /** Runs it in a real shell, with a program `node` that only notes its arguments, or fails at one of the commands. */
  function start(failing: string) {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-start-'));
    const log = join(folder, 'log');
    const stub = `#!/bin/sh\necho "$@" >> '${log}'\ncase "$*" in *'${failing}'*) exit 3;; *--output*) : > "$5";; esac\n`;
    writeFileSync(join(folder, 'node'), stub, { mode: 0o755 });
    const env = { PATH: `${folder}:/usr/bin:/bin`, MASTHEAD_DATA_DIR: folder, SAMPLE_RECORDS: '7' };
    const { status } = spawnSync('sh', ['docker/start-indexer.sh'], { cwd: root, env });
    const ran = readFileSync(log, 'utf8').replaceAll(folder, '').trim().split('\n');
    const left = ['sample-loaded', 'sample.ndjson'].filter((name) => existsSync(join(folder, name)));
    rmSync(folder, { recursive: true });
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
  const run = (dataDir: string, pepper: string, others = {}) =>
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
    const dataDir = mkdtempSync(join(tmpdir(), 'masthead-pepper-'));
    try {
      const given = 'a pepper of more than 32 characters';
      expect(run(dataDir, given)).toBe(given);
      expect(run(dataDir, '', { KEY_PEPPER_FILE: '/run/secrets/key-pepper' })).toBe('');
      expect(existsSync(join(dataDir, 'key-pepper'))).toBe(false);
      const made = run(dataDir, '');
      expect(made).toMatch(/^[0-9a-f]{64}$/);
      expect(run(dataDir, '')).toBe(made);
      expect(statSync(join(dataDir, 'key-pepper')).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});
