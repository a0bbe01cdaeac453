import type { Command } from 'commander';
import { createProgramOf } from '#src/command-line/command-line.ts';

/** @param commandName the command that will run, if it is known: only its file is loaded then */
export function createAdmin(commandName?: string): Promise<Command> {
  const about = 'Manage API keys and orders, check the settings, and back up and restore the store.';
  const folder = new URL('./commands/', import.meta.url);
  return createProgramOf('admin', about, folder, commandName);
}
