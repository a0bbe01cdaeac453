import { runProgram } from '#src/command-line.ts';
import { createIndexer } from './commands.ts';

await runProgram(createIndexer());
