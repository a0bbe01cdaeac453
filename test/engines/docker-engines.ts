import { setTimeout as wait } from 'node:timers/promises';
import type { Engine, EngineKind } from './engine.ts';
import { findFreePort } from './free-port.ts';
import { isServing } from './probe-engine.ts';
import { readTestSettings } from './test-settings.ts';

const images: Record<EngineKind, string> = { mongodb: 'mongo:8.0', elasticsearch: 'elasticsearch:8.19.8' };
const restartMs = 60_000;

/**
 * Starts the engine in Docker, or what testcontainers takes for it.
 *
 * @throws Error that says in a few words why that is not possible.
 */
export async function startInDocker(kind: EngineKind): Promise<Engine> {
  // Imported only here: it takes half a second, which runs without containers need not spend.
  const { getContainerRuntimeClient } = await import('testcontainers');
  const runtime = await getContainerRuntimeClient().catch(() => {
    throw new Error('there is no Docker');
  });

  const { container, url } = kind === 'mongodb' ? await startMongo() : await startElasticsearch();
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

async function startMongo() {
  const { MongoDBContainer } = await import('@testcontainers/mongodb');
  const port = { container: 27_017, host: await findFreePort() };
  const container = await new MongoDBContainer(images.mongodb).withExposedPorts(port).start();
  // The replica set knows its one member by a name that only the container can resolve.
  return { container, url: `${container.getConnectionString()}/?directConnection=true` };
}

async function startElasticsearch() {
  const { ElasticsearchContainer } = await import('@testcontainers/elasticsearch');
  const port = { container: 9_200, host: await findFreePort() };
  const { heap } = readTestSettings();
  const container = await new ElasticsearchContainer(images.elasticsearch)
    .withEnvironment({ 'xpack.security.enabled': 'false', ES_JAVA_OPTS: `-Xms${heap} -Xmx${heap}` })
    .withExposedPorts(port)
    .start();
  return { container, url: container.getHttpUrl() };
}
