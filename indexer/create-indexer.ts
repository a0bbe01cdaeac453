import type { Command } from 'commander';
import { createProgramOf } from '#src/command-line/command-line.ts';

/** @param asked the command that will run, if it is known: only its file is loaded then */
export function createIndexer(asked?: string): Promise<Command> {
  const about = 'Import, suppress and delete records, and maintain the search index.';
  const folder = new URL('./commands/', import.meta.url);
  return createProgramOf('indexer', about, folder, asked);
}
