import { printJson } from '../command-line.ts';
import { withUpkeep } from './with-backends.ts';

/** `dead-letters` */
export async function printDeadLetters(json: boolean): Promise<void> {
  await withUpkeep(async ({ deadLetters }) => {
    const letters = [];
    for await (const letter of deadLetters.scan()) {
      if (json) letters.push(letter);
      else printJson(letter);
    }
    if (json) printJson(letters);
  });
}
