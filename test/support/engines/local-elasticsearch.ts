import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Engine, type EngineCluster, type EnginePurpose, javaOptions, type LogLine } from './engine.ts';
import { fetchElasticsearch } from './fetch-engines.ts';
import { findFreePorts, isServing } from './probe-engine.ts';
import { type EngineUser, engineUser, giveToEngineUser, SupervisedProcess } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

const minJavaVersion = 17;
const startMs = 180_000;

/** Heap of each node of a cluster; the nodes share a machine. */
const clusterHeap = '512m';

interface NodePlan {
  port: number;
  transportPort: number;
  /** Whether it is a single node or a member of a cluster. */
  discovery: Record<string, unknown>;
  heap: string;
  purpose: EnginePurpose;
}

/** Starts the Elasticsearch of this machine's cache as a single node without security, on a free port and empty folder. */
export async function startLocalElasticsearch(log: LogLine, purpose: EnginePurpose): Promise<Engine> {
  const [port = 0, transportPort = 0] = await findFreePorts(2);
  const discovery = { 'discovery.type': 'single-node' };
  return startNode(await findProgram(log), { port, transportPort, discovery, heap: readTestSettings().heap, purpose });
}

/** Starts a cluster of this many nodes, each of which may be master and holds data. */
export async function startLocalElasticsearchCluster(
  log: LogLine,
  size: number,
  purpose: EnginePurpose = 'tests',
): Promise<EngineCluster> {
  const program = await findProgram(log);
  const ports = await findFreePorts(2 * size);
  const names = Array.from({ length: size }, (_, place) => `node-${place + 1}`);
  const plans = names.map((name, place): NodePlan => {
    const discovery = {
      'node.name': name,
      'discovery.seed_hosts': ports.slice(size).map((port) => `127.0.0.1:${port}`),
      'cluster.initial_master_nodes': names,
    };
    return {
      port: ports[place] ?? 0,
      transportPort: ports[size + place] ?? 0,
      discovery,
      heap: clusterHeap,
      purpose,
    };
  });
  const started = await Promise.allSettled(plans.map((plan) => startNode(program, plan)));
  const nodes = started.flatMap((node) => (node.status === 'fulfilled' ? [node.value] : []));
  const stop = async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
  const failed = started.find((node) => node.status === 'rejected');
  if (failed !== undefined) {
    await stop();
    throw failed.reason;
  }
  return { url: nodes.map(({ url }) => url).join(','), nodes, stop };
}

interface Program {
  java: string;
  /** The folder of Elasticsearch. */
  home: string;
}

/** @throws Error that briefly says why it cannot run here. */
async function findProgram(log: LogLine): Promise<Program> {
  if (process.platform === 'win32') throw new Error('the fetched Elasticsearch is not started on Windows');
  return { java: findJava(), home: await fetchElasticsearch(log) };
}

async function startNode({ java, home }: Program, plan: NodePlan): Promise<Engine> {
  const user = engineUser();
  const folder = mkdtempSync(join(tmpdir(), 'masthead-elasticsearch-'));
  const config = layOut(folder, home, user, plan);
  const { heap, purpose } = plan;
  const { path } = readTestSettings();
  const served = new SupervisedProcess({
    command: java,
    args: [
      ...[
        '-Xms4m',
        '-Xmx64m',
        '-XX:+UseSerialGC',
        '-XX:TieredStopAtLevel=1',
        '-cp',
        `${home}/lib/*:${home}/lib/cli-launcher/*`,
      ],
      ...['-Dcli.name=server', '-Dcli.script=./bin/elasticsearch', '-Dcli.libs=lib/tools/server-cli'],
      ...[`-Des.path.home=${home}`, `-Des.path.conf=${config}`, '-Des.distribution.type=tar'],
      'org.elasticsearch.launcher.CliToolLauncher',
    ],
    env: { PATH: path, ES_JAVA_OPTS: javaOptions(heap, purpose), ES_TMPDIR: join(folder, 'tmp') },
    cwd: home,
    logFile: join(folder, 'elasticsearch.log'),
    folder,
    user,
  });
  const url = `http://127.0.0.1:${plan.port}`;
  const start = async () => {
    served.start();
    await served.waitUntil(() => isServing('elasticsearch', url), startMs);
  };
  try {
    await start();
  } catch (error) {
    await served.stop();
    throw error;
  }
  return {
    url,
    origin: `fetched, Elasticsearch 8.19.8 with ${heap} of heap`,
    start,
    kill: () => served.kill(),
    pause: async () => served.pause(),
    resume: async () => served.resume(),
    shutDown: () => served.shutDown(),
    stop: () => served.stop(),
  };
}

/** Makes the folders it writes to and its settings; answers the settings' folder. */
function layOut(folder: string, home: string, user: EngineUser | null, plan: NodePlan): string {
  const settings = {
    'cluster.name': 'masthead-test',
    ...plan.discovery,
    'xpack.security.enabled': false,
    'network.host': '127.0.0.1',
    'http.port': plan.port,
    'transport.port': plan.transportPort,
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    // A nearly full disk must not refuse the few megabytes of a test.
    'cluster.routing.allocation.disk.threshold_enabled': false,
  };
  const config = join(folder, 'config');
  cpSync(join(home, 'config'), config, { recursive: true });
  // JSON is YAML.
  writeFileSync(join(config, 'elasticsearch.yml'), JSON.stringify(settings));
  for (const name of ['data', 'logs', 'tmp']) mkdirSync(join(folder, name));
  giveToEngineUser(user, folder);
  return config;
}

function findJava(): string {
  const { javaHome } = readTestSettings();
  const java = javaHome ? join(javaHome, 'bin', 'java') : 'java';
  const { stderr } = spawnSync(java, ['-version'], { encoding: 'utf8' });
  const version = Number(/version "(\d+)/.exec(stderr ?? '')?.[1] ?? 0);
  if (version < minJavaVersion) throw new Error(`there is no Java ${minJavaVersion} or newer to run it`);
  return java;
}
