import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { ContainerRuntimeClient, GenericContainer } from 'testcontainers';
import { type Engine, type EngineKind, type EnginePurpose, javaOptions } from './engine.ts';
import { findFreePort, isServing } from './probe-engine.ts';
import { readTestSettings } from './test-settings.ts';

const images: Record<EngineKind, string> = { mongodb: 'mongo:8.0', elasticsearch: 'elasticsearch:8.19.8' };
const restartMs = 60_000;

/** Docker is missing or turned off. */
export class NoDocker extends Error {}

/**
 * Starts the engine in Docker, or what testcontainers uses instead.
 *
 * @throws NoDocker, or Error if Docker cannot pull the image.
 */
export async function startInDocker(kind: EngineKind, purpose: EnginePurpose): Promise<Engine> {
  const runtime = await findDocker(images[kind]);
  const { host } = runtime.info.containerRuntime;
  const { container, url } = kind === 'mongodb' ? await startMongo(host) : await startElasticsearch(host, purpose);
  const handle = runtime.container.getById(container.getId());
  return {
    url,
    origin: `Docker, ${images[kind]}`,
    kill: async () => void (await handle.kill()),
    pause: async () => void (await handle.pause()),
    resume: async () => void (await handle.unpause()),
    shutDown: async () => void (await handle.stop()),
    stop: async () => void (await container.stop()),
    start: async () => {
      await handle.start();
      const deadline = Date.now() + restartMs;
      while (!(await isServing(kind, url))) {
        if (Date.now() > deadline) throw new Error(`${images[kind]} is not ready within ${restartMs / 1000} s`);
        await wait(50);
      }
    },
  };
}

/** Images that are unavailable, and why. They are not tried again, because an unreachable registry takes long to fail. */
const missingImages = new Map<string, string>();

async function findDocker(image: string): Promise<ContainerRuntimeClient> {
  if (readTestSettings().docker === 'off') throw new NoDocker('Docker is turned off');
  // Imported only here, because it takes half a second that runs without containers can save.
  const { getContainerRuntimeClient, ImageName } = await import('testcontainers');
  const docker = await getContainerRuntimeClient().catch(() => {
    throw new NoDocker('there is no Docker');
  });
  if (!missingImages.has(image)) {
    try {
      await docker.image.pull(ImageName.fromString(image));
      return docker;
    } catch (error) {
      missingImages.set(image, (error as Error).message.trim().replace(/\s+/g, ' '));
    }
  }
  throw new Error(`Docker is there, but cannot pull ${image}: ${missingImages.get(image)}`);
}

// The port is chosen here, because a port that Docker chooses changes when the container is started again.

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
    // By default, Elasticsearch refuses to write to a nearly full disk. Tests write only a few megabytes.
    'cluster.routing.allocation.disk.threshold_enabled': 'false',
    ES_JAVA_OPTS: javaOptions(heap, purpose),
  };
  const container = new ElasticsearchContainer(images.elasticsearch).withEnvironment(settings).withExposedPorts(port);
  return {
    container: await (await onLoopback(container, host)).start(),
    url: `http://${reachableHost(host)}:${port.host}`,
  };
}

const reachableHost = (host: string) => (host === 'localhost' ? '127.0.0.1' : host);

/**
 * Publishes the ports of a container on one address of this machine only, usually 127.0.0.1, because engines for tests have no
 * password. If Docker runs on another machine, the ports are left as they are. Call this after `withExposedPorts`.
 */
async function onLoopback<Container extends GenericContainer>(container: Container, host: string): Promise<Container> {
  const address = reachableHost(host);
  if (!(await isOfThisMachine(address))) return container;
  // Testcontainers has no option for it.
  const { hostConfig } = container as unknown as {
    hostConfig: { PortBindings: Record<string, { HostIp?: string }[]> };
  };
  for (const binding of Object.values(hostConfig.PortBindings).flat()) binding.HostIp = address;
  return container;
}

/** Whether this machine has the address. It may not: in a container, testcontainers uses the address of Docker's bridge. */
async function isOfThisMachine(address: string): Promise<boolean> {
  const server = createServer().listen(0, address);
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
