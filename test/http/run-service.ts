import type { AppDeps } from '#http/app-deps.ts';
import type { Backends } from '#src/start/open-backends.ts';
import { type Listening, listen } from '#testing/listen.ts';
import { createService, type TestService } from './test-service.ts';

/** A service that listens. */
export type RunningService = TestService & Listening;

export async function runService(backend: Backends, given: Partial<AppDeps> = {}): Promise<RunningService> {
  const service = createService(backend, given);
  return { ...service, ...(await listen(service.app)) };
}
