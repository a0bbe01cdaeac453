import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** An API in a process of its own. */
export interface ApiProcess {
  url: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

/**
 * Starts the API and waits until it serves, without limits that tests would meet.
 *
 * @param program `src/main.ts` for the product on its embedded store, or a program of the tests that serves
 */
export async function startApi(program: string, settings: Record<string, string>): Promise<ApiProcess> {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    PORT: '0',
    RATE_LIMIT_CHECKOUT: '1000000',
    ...settings,
  };
  const child = spawn(process.execPath, [program], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = once(child, 'close');
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk;
      const found = /[sS]erves .*?(http:\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    ended.then(() => reject(new Error(`the API ended before it served: ${output}`)));
  });
  return {
    url,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
