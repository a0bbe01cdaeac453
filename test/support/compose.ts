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

/** Publishes only the API, on a free port, so that a trial works beside a running setup. */
export const onFreePort = `services:
  api: { ports: !override ["127.0.0.1::3000"] }
  mongo: { ports: !reset [] }
  elasticsearch: { ports: !reset [] }
`;
