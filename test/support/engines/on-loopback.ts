import { once } from 'node:events';
import { createServer } from 'node:net';
import type { GenericContainer } from 'testcontainers';

/**
 * Publishes the ports of a container on the one address of this machine by which it is reached, as a rule 127.0.0.1: not
 * on every address, since engines for tests ask for no password. Where Docker runs on another machine, the ports are
 * left as they are. Call it after `withExposedPorts`.
 *
 * @param host where testcontainers reaches published ports
 */
export async function onLoopback<Container extends GenericContainer>(
  container: Container,
  host: string,
): Promise<Container> {
  const address = reachableHost(host);
  if (!(await isOfThisMachine(address))) return container;
  // Testcontainers has no option for it.
  const { hostConfig } = container as unknown as {
    hostConfig: { PortBindings: Record<string, { HostIp?: string }[]> };
  };
  for (const binding of Object.values(hostConfig.PortBindings).flat()) binding.HostIp = address;
  return container;
}

/** The host to connect to for a published port. */
export function reachableHost(host: string): string {
  return host === 'localhost' ? '127.0.0.1' : host;
}

/** Whether something can listen there. In a container, for one, testcontainers takes the address of Docker's bridge. */
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
