// Preloaded by `npm start`, `npm run indexer` and `npm run admin`: reads `.env`, where there is one, into the environment.
// What is set in the environment wins. (`node --env-file-if-exists` does the same, but prints a line where there is none.)
import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && existsSync('.env')) process.loadEnvFile('.env');
