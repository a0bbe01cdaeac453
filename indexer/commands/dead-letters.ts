import { Command } from 'commander';
import { withUpkeep } from './with-backends.ts';

export const deadLettersCommand = new Command('dead-letters')
  .description('print the records that could not be indexed, and why, as NDJSON')
  .action(async () => {
    await withUpkeep(async ({ deadLetters }) => {
      for await (const letter of deadLetters.scan()) console.log(JSON.stringify(letter));
    });
  });
