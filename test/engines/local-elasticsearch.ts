import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Engine, Say } from './engine.ts';
import { type EngineUser, engineUser, giveToEngineUser } from './engine-user.ts';
import { fetchElasticsearch } from './fetch-elasticsearch.ts';
import { findFreePort } from './free-port.ts';
import { isServing } from './probe-engine.ts';
import { SupervisedProcess } from './supervised-process.ts';
import { readTestSettings } from './test-settings.ts';

const oldestJava = 17;
const startMs = 180_000;

/** Starts the Elasticsearch of this machine's cache as a single node without security, on a free port and empty folder. */
export async function startLocalElasticsearch(say: Say): Promise<Engine> {
  if (process.platform === 'win32') throw new Error('the fetched Elasticsearch is not started on Windows');
  const java = findJava();
  const home = await fetchElasticsearch(say);
  const user = engineUser();
  const [port, transportPort] = [await findFreePort(), await findFreePort()];
  const folder = mkdtempSync(join(tmpdir(), 'masthead-elasticsearch-'));
  const config = layOut(folder, home, user, { port, transportPort });

  const { path, heap } = readTestSettings();
  const served = new SupervisedProcess({
    command: java,
    args: [
      ...['-Xms4m', '-Xmx64m', '-XX:+UseSerialGC', '-cp', `${home}/lib/*:${home}/lib/cli-launcher/*`],
      ...['-Dcli.name=server', '-Dcli.script=./bin/elasticsearch', '-Dcli.libs=lib/tools/server-cli'],
      ...[`-Des.path.home=${home}`, `-Des.path.conf=${config}`, '-Des.distribution.type=tar'],
      'org.elasticsearch.launcher.CliToolLauncher',
    ],
    env: { PATH: path, ES_JAVA_OPTS: `-Xms${heap} -Xmx${heap}`, ES_TMPDIR: join(folder, 'tmp') },
    cwd: home,
    logFile: join(folder, 'elasticsearch.log'),
    folder,
    user,
  });
  const url = `http://127.0.0.1:${port}`;
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
    stop: () => served.stop(),
  };
}

/** Makes the folders it writes to and its settings; answers the settings' folder. */
function layOut(
  folder: string,
  home: string,
  user: EngineUser | null,
  ports: { port: number; transportPort: number },
): string {
  const settings = {
    'cluster.name': 'masthead-test',
    'discovery.type': 'single-node',
    'xpack.security.enabled': false,
    'network.host': '127.0.0.1',
    'http.port': ports.port,
    'transport.port': ports.transportPort,
    'path.data': join(folder, 'data'),
    'path.logs': join(folder, 'logs'),
    // A nearly full disk is no reason to refuse the few megabytes of a test.
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
  if (version < oldestJava) throw new Error(`there is no Java ${oldestJava} or newer to run it`);
  return java;
}
