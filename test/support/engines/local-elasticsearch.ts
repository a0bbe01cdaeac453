import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Engine,
  type EngineCluster,
  type EnginePurpose,
  javaOptions,
  type LogLine,
  startAll,
  stopAll,
} from './engine.ts';
import { fetchElasticsearch } from './fetch-engines.ts';
import { findFreePorts, isServing } from './probe-engine.ts';
import { engineUser, giveToEngineUser, SupervisedProcess } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

const minJavaVersion = 17;
const startMs = 180_000;

/** Heap of each node of a cluster; the nodes share a machine. */
const clusterHeap = '512m';

interface NodePlan {
  java: string;
  /** The folder of Elasticsearch. */
  home: string;
  /** The ports, and whether it is a single node or a member of a cluster. */
  settings: Record<string, unknown> & { 'http.port': number };
  heap: string;
  purpose: EnginePurpose;
}

/**
 * Starts the Elasticsearch of this machine's cache without security, on free ports and empty folders: one node, or a cluster
 * of several, each of which may be master and holds data.
 *
 * @throws Error that briefly says why it cannot run here.
 */
export async function startLocalElasticsearch(log: LogLine, purpose: EnginePurpose, size = 1): Promise<EngineCluster> {
  if (process.platform === 'win32') throw new Error('the fetched Elasticsearch is not started on Windows');
  const common = {
    ...{ java: findJava(), home: await fetchElasticsearch(log), purpose },
    heap: size === 1 ? readTestSettings().heap : clusterHeap,
  };
  const ports = await findFreePorts(2 * size);
  const names = Array.from({ length: size }, (_, place) => `node-${place + 1}`);
  const members = {
    'discovery.seed_hosts': ports.slice(size).map((port) => `127.0.0.1:${port}`),
    'cluster.initial_master_nodes': names,
  };
  const discovery = size === 1 ? { 'discovery.type': 'single-node' } : members;
  const nodes = await startAll(
    names.map((name, place) => {
      const own = { 'node.name': name, 'http.port': ports[place] ?? 0, 'transport.port': ports[size + place] };
      return startNode({ ...common, settings: { ...discovery, ...own } });
    }),
  );
  return { url: nodes.map(({ url }) => url).join(','), nodes, stop: () => stopAll(nodes) };
}

async function startNode({ java, home, settings, heap, purpose }: NodePlan): Promise<Engine> {
  const user = engineUser();
  const folder = mkdtempSync(join(tmpdir(), 'masthead-elasticsearch-'));
  const config = join(folder, 'config');
  cpSync(join(home, 'config'), config, { recursive: true });
  const all = {
    ...settings,
    'cluster.name': 'masthead-test',
    'xpack.security.enabled': false,
    'network.host': '127.0.0.1',
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    // A nearly full disk must not refuse the few megabytes of a test.
    'cluster.routing.allocation.disk.threshold_enabled': false,
  };
  // JSON is YAML.
  writeFileSync(join(config, 'elasticsearch.yml'), JSON.stringify(all));
  for (const name of ['data', 'logs', 'tmp']) mkdirSync(join(folder, name));
  giveToEngineUser(user, folder);

  const served = new SupervisedProcess({
    command: java,
    args: [
      ...['-Xms4m', '-Xmx64m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
      ...['-cp', `${home}/lib/*:${home}/lib/cli-launcher/*`],
      ...['-Dcli.name=server', '-Dcli.script=./bin/elasticsearch', '-Dcli.libs=lib/tools/server-cli'],
      ...[`-Des.path.home=${home}`, `-Des.path.conf=${config}`, '-Des.distribution.type=tar'],
      'org.elasticsearch.launcher.CliToolLauncher',
    ],
    env: { PATH: readTestSettings().path, ES_JAVA_OPTS: javaOptions(heap, purpose), ES_TMPDIR: join(folder, 'tmp') },
    cwd: home,
    logFile: join(folder, 'elasticsearch.log'),
    folder,
    user,
  });
  const url = `http://127.0.0.1:${settings['http.port']}`;
  const origin = `fetched, Elasticsearch 8.19.8 with ${heap} of heap`;
  return served.serve(url, origin, () => isServing('elasticsearch', url), startMs);
}

function findJava(): string {
  const { javaHome } = readTestSettings();
  const java = javaHome ? join(javaHome, 'bin', 'java') : 'java';
  const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
  if (version < minJavaVersion) throw new Error(`there is no Java ${minJavaVersion} or newer to run it`);
  return java;
}
