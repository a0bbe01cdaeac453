import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, settings } from '#src/config.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Service {
  image?: string;
  environment?: Record<string, string>;
  ports?: string[];
  command?: string[];
}
const compose: { services: Record<string, Service>; volumes: Record<string, unknown> } = parse(
  read('docker-compose.yml'),
  { merge: true },
);
const ours = ['api', 'indexer'];
/** Variables of the set-up alone, which no program of Masthead's reads. */
const ofTheSetUp = ['SAMPLE_RECORDS'];

/** `${NAME:-default}` as compose fills it in where nothing sets NAME. */
const variable = /(?<!\$)\$\{([A-Z_]+)(?::-([^}]*))?\}/g;

function environmentOf(service: string): Record<string, string> {
  const entries = Object.entries(compose.services[service]?.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, value.replace(variable, '$2')]));
}

describe('docker-compose.yml', () => {
  it.each(ours)('gives %s settings that there are, with values they take', (service) => {
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

  it('names each image by a version', () => {
    const images = Object.values(compose.services).flatMap(({ image }) => (image === 'masthead' ? [] : [image]));
    expect(images.length).toBeGreaterThan(1);
    for (const image of images) expect(image).toMatch(/^[a-z]+:\d+\.\d/);
  });

  it('runs programs that there are', () => {
    const commands = ours.map((service) => compose.services[service]?.command?.join(' ') ?? '');
    const programs = commands.flatMap((command) => command.match(/\b\S+\.(?:ts|sh)\b/g) ?? []);
    expect(programs.length).toBeGreaterThan(1);
    for (const program of programs) expect(existsSync(join(root, program)), program).toBe(true);
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

  it('shows defaults that the settings have', () => {
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

  it('gives the program the pepper that is set, else the one kept in the data folder', () => {
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
