import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { createProgram, withJsonFlag } from '#src/command-line/command-line.ts';

/** What a file of commands/ exports: it adds the command that the file is named for. */
interface CommandFile {
  addTo(program: Command): void;
}

const names = readdirSync(new URL('./commands', import.meta.url)).map((file) => basename(file, '.ts'));

/** @param asked the command that will run: only its file is loaded; without one, all are */
export async function createIndexer(asked?: string): Promise<Command> {
  const program = createProgram('indexer', 'Import, suppress and delete records, and maintain the search index.');
  for (const name of asked !== undefined && names.includes(asked) ? [asked] : names.toSorted()) {
    const file: CommandFile = await import(`./commands/${name}.ts`);
    file.addTo(program);
  }
  return withJsonFlag(program);
}
