import type { GenericContainer } from 'testcontainers';

/**
 * Publishes the ports of a container on 127.0.0.1 alone: engines for tests ask for no password. Where Docker runs on
 * another machine (`host` is not this one), its ports have to be reached from here and are left as they are. Call it
 * after `withExposedPorts`.
 */
export function onLoopback<Container extends GenericContainer>(container: Container, host: string): Container {
  if (!isThisMachine(host)) return container;
  // Testcontainers has no option for it.
  const { hostConfig } = container as unknown as {
    hostConfig: { PortBindings: Record<string, { HostIp?: string }[]> };
  };
  for (const binding of Object.values(hostConfig.PortBindings).flat()) binding.HostIp = '127.0.0.1';
  return container;
}

/** The host of a published port, as it is connected to. */
export function reachableHost(host: string): string {
  return isThisMachine(host) ? '127.0.0.1' : host;
}

function isThisMachine(host: string): boolean {
  return ['localhost', '127.0.0.1', '::1'].includes(host);
}
