import type { Command } from 'commander';
import { createProgramOf } from '#src/command-line/command-line.ts';

/** @param commandName the command that will run, if it is known: only its file is loaded then */
export function createIndexer(commandName?: string): Promise<Command> {
  const about = 'Import, suppress and delete records, and maintain the search index.';
  const folder = new URL('./commands/', import.meta.url);
  return createProgramOf('indexer', about, folder, commandName);
}
