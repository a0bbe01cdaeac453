import { fileURLToPath } from 'node:url';

/** Node caches compiled code there, so processes and threads start in half the time. */
export const compiled = fileURLToPath(new URL('../../node_modules/.cache/masthead-test-processes', import.meta.url));

/** The environment of a process that a test starts: the given settings, and none of the machine's. */
export function processEnvironment(given: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: compiled, ...given };
}

/** What `npm start`, `npm run indexer`, the image and the systemd units pass to Node (decisions/0001). */
export const limitHeapGrowth = ['--heap-growing-percent=30', '--max-semi-space-size=8'];
