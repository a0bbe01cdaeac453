import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createMetrics } from '#src/metrics/create-metrics.ts';
import { createSyncMetrics } from '#src/metrics/create-sync-metrics.ts';
import { loadConfig, settings } from '#src/settings/config.ts';

const deploy = join(import.meta.dirname, '../../deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');

interface Rule {
  alert: string;
  expr: string;
  annotations: Record<string, string>;
}
const rules: Rule[] = parse(read('prometheus/alerts.yml')).groups.flatMap((group: { rules: Rule[] }) => group.rules);

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
const panels: Panel[] = JSON.parse(read('grafana/masthead.json')).panels;
const queries = [
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
  ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
];

/** The metrics of the API and of the sync, by name, with their labels. */
async function productMetrics(): Promise<Map<string, readonly string[]>> {
  const registries = [createMetrics().registry, createSyncMetrics().registry];
  const known = registries.flatMap((registry) => registry.getMetricsAsArray());
  return new Map(
    known.map((metric) => [metric.name, (metric as unknown as { labelNames: readonly string[] }).labelNames]),
  );
}

/** What Prometheus adds: `up`, and scrape metadata. */
const scraped = ['job', 'instance'];

function metricsIn(expr: string): string[] {
  return [...expr.matchAll(/\b(?:masthead|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_bucket$/, ''));
}

describe('the dashboard and the alerts', () => {
  it.each(queries)('%s uses metrics and labels that exist', async (_, expr) => {
    const known = await productMetrics();
    const names = metricsIn(expr);
    expect(names.length > 0 || /\bup\{/.test(expr)).toBe(true);
    for (const name of names) expect([...known.keys()]).toContain(name);
    const labels = [...names.flatMap((name) => known.get(name) ?? []), ...scraped, 'le'];
    const used = [
      ...[...expr.matchAll(/[{,](\w+)(?:=|!)/g)].map(([, label]) => label),
      ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(', ')),
    ];
    for (const label of used) expect(labels).toContain(label);
  });

  it('show every metric of the product', async () => {
    const own = [...(await productMetrics()).keys()].filter((name) => name.startsWith('masthead_'));
    expect(own.length).toBeGreaterThan(10);
    const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => metricsIn(expr)));
    expect(own.filter((name) => !shown.includes(name))).toEqual([]);
  });

  it('have a test for each alert', () => {
    const tested = new Set(
      [...read('prometheus/alerts.test.yml').matchAll(/^ {6}- alertname: (\w+)$/gm)].map(([, name]) => name),
    );
    expect([...tested].toSorted()).toEqual(rules.map(({ alert }) => alert).toSorted());
  });

  const promtool = findProgram('promtool');
  it.each(promtool)('the alerts fire when they should, according to %s', (path) => {
    const { stdout, stderr } = run(path, 'test', 'rules', join(deploy, 'prometheus/alerts.test.yml'));
    expect(`${stdout}${stderr}`).toMatch(/^\s*SUCCESS$/m);
  });
});

describe('the systemd units', () => {
  const units = globSync('systemd/*.service', { cwd: deploy });

  it.each(units)('%s runs a program that exists, as its own user, and can write only its state', (unit) => {
    const text = read(unit);
    const program = /^ExecStart=.*\bnode (?:--\S+ )*(\S+\.ts)/m.exec(text)?.[1] ?? '';
    expect(globSync(program, { cwd: join(deploy, '..') })).toEqual([program]);
    for (const line of [
      'User=masthead',
      'NoNewPrivileges=yes',
      'ProtectSystem=strict',
      'ProtectHome=yes',
      'PrivateTmp=yes',
      'CapabilityBoundingSet=',
      'SystemCallFilter=@system-service',
      'EnvironmentFile=/etc/masthead/masthead.env',
    ]) {
      expect(text.split('\n'), line).toContain(line);
    }
    expect(text).not.toMatch(/^ReadWritePaths=/m);
    for (const [, list = ''] of text.matchAll(/^Environment=(.*)$/gm)) {
      for (const name of list.match(/\b[A-Z_]+(?==)/g) ?? []) {
        expect([...Object.keys(settings), 'NODE_ENV', 'PATH']).toContain(name);
      }
    }
  });

  const analyzer = findProgram('systemd-analyze');
  it.each(analyzer)('are valid for systemd, according to %s', (path) => {
    const files = globSync('systemd/*.{service,timer}', { cwd: deploy }).map((unit) => join(deploy, unit));
    const { status, stderr } = run(path, 'verify', ...files);
    expect(stderr).not.toContain('masthead');
    expect(status).toBe(0);
  });
});

describe('masthead.env.example', () => {
  const lines = read('systemd/masthead.env.example').split('\n');

  it('names settings that exist, and starts unchanged', () => {
    const offered = lines.flatMap((line) => /^#?([A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect(offered.length).toBeGreaterThan(8);
    expect(offered.filter((name) => !(name in settings))).toEqual([]);
    const env = Object.fromEntries(lines.flatMap((line) => (/^[A-Z_]+=/.test(line) ? [line.split('=')] : [])));
    expect(loadConfig(env)).toMatchObject({ publicUrl: 'https://media.example.org', trustProxy: ['loopback'] });
  });

  it('serves metrics where prometheus.yml scrapes them', () => {
    const [, port] = /^METRICS_PORT=(\d+)$/m.exec(lines.join('\n')) ?? [];
    const { scrape_configs } = parse(read('prometheus/prometheus.yml'));
    expect(scrape_configs[0].static_configs[0].targets).toEqual([`127.0.0.1:${port}`]);
  });
});

describe('the Caddyfile', () => {
  it('proxies to the port of the service, for the host of the example settings', () => {
    const text = read('caddy/Caddyfile');
    expect(text).toContain(`reverse_proxy 127.0.0.1:${settings.PORT.default} {`);
    const host = new URL(/^PUBLIC_URL=(.*)$/m.exec(read('systemd/masthead.env.example'))?.[1] ?? '').hostname;
    expect(text).toContain(`\n${host} {\n`);
  });

  const caddy = findProgram('caddy');
  it.each(caddy)('is valid for Caddy, according to %s', (path) => {
    const { status, stderr } = run(
      path,
      'validate',
      '--adapter',
      'caddyfile',
      '--config',
      join(deploy, 'caddy/Caddyfile'),
    );
    expect(status, stderr).toBe(0);
  });
});

describe('the CI workflow', () => {
  it('runs .ci/run, a first start on an old and on a new Node, and an image', () => {
    const { jobs } = parse(readFileSync(join(deploy, '../.github/workflows/ci.yml'), 'utf8'));
    const commands = (job: string) => jobs[job].steps.flatMap(({ run: command = '' }: { run?: string }) => command);
    expect(commands('run')).toContain('.ci/run');
    expect(jobs['first-start'].strategy.matrix.node).toEqual([20, 24]);
    expect(commands('first-start').join('\n')).toMatch(/npm run -s indexer -- sample 20[\s\S]*npm start/);
    expect(commands('image').join('\n')).toMatch(/docker build .*[\s\S]*docker compose up .*--wait/);
  });
});

function run(path: string, ...args: string[]) {
  return spawnSync(path, args, { encoding: 'utf8' });
}

/** Where a program is on this machine: empty where it has none, so that a test of each defines nothing. */
function findProgram(name: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return globSync(folders.map((folder) => join(folder, name))).slice(0, 1);
}
