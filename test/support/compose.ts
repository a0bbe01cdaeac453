import { execFileSync } from 'node:child_process';

/** Whether this machine has Docker with compose. */
export function hasDocker(): boolean {
  try {
    execFileSync('docker', ['compose', 'version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/**
 * Publishes only the API, on a free port, so that a trial works beside a running setup. Checks may take as long as on a busy
 * machine: 1.2 gave up after 15 s.
 */
export const onFreePort = `services:
  api: { ports: !override ["127.0.0.1::3000"] }
  mongo: { ports: !reset [], healthcheck: { timeout: 120s } }
  elasticsearch: { ports: !reset [], healthcheck: { timeout: 120s } }
`;
