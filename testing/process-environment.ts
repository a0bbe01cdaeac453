import { fileURLToPath } from 'node:url';

/** Node keeps what it compiled there, so that a process or a thread starts in half the time. */
export const compiled = fileURLToPath(new URL('../node_modules/.cache/masthead-test-processes', import.meta.url));

/** The environment of a process that a test starts: none of the machine's settings, and those given. */
export function processEnvironment(given: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: compiled, ...given };
}

/** What `npm start`, `npm run indexer`, the image and the systemd units pass to Node (decisions/0037). */
export const limitHeapGrowth = '--heap-growing-percent=30';
