import { setTimeout as wait } from 'node:timers/promises';
import { type Engine, type EngineKind, type EnginePurpose, javaOptions } from './engine.ts';
import { findDocker } from './find-docker.ts';
import { findFreePort } from './free-port.ts';
import { onLoopback, reachableHost } from './on-loopback.ts';
import { isServing } from './probe-engine.ts';
import { readTestSettings } from './test-settings.ts';

const images: Record<EngineKind, string> = { mongodb: 'mongo:8.0', elasticsearch: 'elasticsearch:8.19.8' };
const restartMs = 60_000;

/**
 * Starts the engine in Docker, or what testcontainers uses instead.
 *
 * @throws Error that briefly says why that is not possible.
 */
export async function startInDocker(kind: EngineKind, purpose: EnginePurpose): Promise<Engine> {
  const runtime = await findDocker(images[kind]);
  const { host } = runtime.info.containerRuntime;

  const { container, url } = kind === 'mongodb' ? await startMongo(host) : await startElasticsearch(host, purpose);
  const handle = runtime.container.getById(container.getId());
  return {
    url,
    origin: `Docker, ${images[kind]}`,
    kill: async () => {
      await handle.kill();
    },
    pause: async () => {
      await handle.pause();
    },
    resume: async () => {
      await handle.unpause();
    },
    shutDown: async () => {
      await handle.stop();
    },
    start: async () => {
      await handle.start();
      const deadline = Date.now() + restartMs;
      while (!(await isServing(kind, url))) {
        if (Date.now() > deadline) throw new Error(`${images[kind]} is not ready within ${restartMs / 1000} s`);
        await wait(50);
      }
    },
    stop: async () => {
      await container.stop();
    },
  };
}

// The host's port is chosen here: one that Docker chooses changes when the container is started again.

async function startMongo(host: string) {
  const { MongoDBContainer } = await import('@testcontainers/mongodb');
  const port = { container: 27_017, host: await findFreePort() };
  const container = new MongoDBContainer(images.mongodb).withExposedPorts(port);
  // The replica set knows its one member by a name that only the container can resolve.
  return {
    container: await (await onLoopback(container, host)).start(),
    url: `mongodb://${reachableHost(host)}:${port.host}/?directConnection=true`,
  };
}

async function startElasticsearch(host: string, purpose: EnginePurpose) {
  const { ElasticsearchContainer } = await import('@testcontainers/elasticsearch');
  const port = { container: 9_200, host: await findFreePort() };
  const { heap } = readTestSettings();
  const settings = {
    'xpack.security.enabled': 'false',
    // A nearly full disk must not refuse the few megabytes of a test.
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
    ES_JAVA_OPTS: javaOptions(heap, purpose),
  };
  const container = new ElasticsearchContainer(images.elasticsearch).withEnvironment(settings).withExposedPorts(port);
  return {
    container: await (await onLoopback(container, host)).start(),
    url: `http://${reachableHost(host)}:${port.host}`,
  };
}
