import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AppDeps } from '#http/app-deps.ts';
import type { Backends } from '#src/start/open-backends.ts';
import { createService, type TestService } from './test-service.ts';

/** A service that listens on a port of its own. */
export interface RunningService extends TestService {
  url: string;
  close(): Promise<void>;
}

export async function runService(backend: Backends, given: Partial<AppDeps> = {}): Promise<RunningService> {
  const service = createService(backend, given);
  const server = createServer(service.app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    ...service,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
