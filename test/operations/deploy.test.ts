import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { defaultTimeouts } from '#http/start-server.ts';
import { createMetrics, createSyncMetrics } from '#src/metrics/metrics.ts';
import { loadConfig } from '#src/settings/config.ts';
import { settings } from '#src/settings/settings.ts';

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

describe('what starts the product', () => {
  const root = join(deploy, '..');
  it('names programs that exist, wherever it runs', () => {
    const places = globSync(
      ['Dockerfile', 'docker-compose*.yml', 'docker/**/*.sh', 'deploy/systemd/*', 'package.json', 'scripts/*.mjs'],
      { cwd: root },
    );
    const named = places.flatMap((place) => [
      ...readFileSync(join(root, place), 'utf8').matchAll(
        /(?<![\w/.-])(?:src|indexer|admin|scripts|docker|test|clients)\/[\w/-]+\.(?:ts|mjs|sh)\b/g,
      ),
    ]);
    expect(named.length).toBeGreaterThan(15);
    expect(named.map(([path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('nginx/masthead.conf', () => {
  const conf = read('nginx/masthead.conf');

  it('cuts off what the service cuts off, takes what it takes, and gives up connections before it', () => {
    expect(conf).toContain('proxy_http_version 1.1;');
    expect(conf).toContain('client_max_body_size 8m;');
    expect(conf).toContain('large_client_header_buffers 4 16k;');
    expect(Number(/keepalive_timeout (\d+)s;/.exec(conf)?.[1]) * 1_000).toBeLessThan(defaultTimeouts.idleMs);
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

function run(path: string, ...args: string[]) {
  return spawnSync(path, args, { encoding: 'utf8' });
}

/** Where a program is on this machine: empty where it has none, so that a test of each defines nothing. */
function findProgram(name: string): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return globSync(folders.map((folder) => join(folder, name))).slice(0, 1);
}
