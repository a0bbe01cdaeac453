// Preloaded by `npm start`, `npm run indexer`, `npm run admin` and `npm run mcp`: loads `.env`, if it exists, into the environment.
// Environment variables take precedence. (`node --env-file-if-exists` does the same, but prints a line if the file is
// missing.)
import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread && existsSync('.env')) process.loadEnvFile('.env');
