import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { limitHeapGrowth } from '#testing/process-environment.ts';

const root = join(import.meta.dirname, '../..');

/** Each place that starts the service, or work on the index. */
const starts = [
  'package.json',
  'Dockerfile',
  'docker-compose.yml',
  'docker-compose.production.yml',
  'docker/start-indexer.sh',
  'deploy/systemd/masthead.service',
  'deploy/systemd/masthead-sync.service',
];

it.each(starts)('%s limits how far the heap of the service and of the sync grows', (file) => {
  const commands = readFileSync(join(root, file), 'utf8')
    .split('\n')
    .map((line) => line.replaceAll(/[",[\]]/g, ' ').replaceAll(/\s+/g, ' '))
    .filter((line) => /\bnode\b.*(src|indexer)\/main\.ts/.test(line) && !/main\.ts (sample|import)/.test(line));
  expect(commands.length).toBeGreaterThan(0);
  for (const command of commands) expect(command).toContain(`node ${limitHeapGrowth.join(' ')} `);
});
