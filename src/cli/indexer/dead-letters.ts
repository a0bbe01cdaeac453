import { printJson } from '../command-line.ts';
import { withIndex } from './with-backends.ts';

/** `dead-letters` */
export async function printDeadLetters(json: boolean): Promise<void> {
  await withIndex(async ({ maintenance }) => {
    const deadLetters = [];
    for await (const letter of maintenance.readDeadLetters()) {
      if (json) deadLetters.push(letter);
      else printJson(letter);
    }
    if (json) printJson(deadLetters);
  });
}
