import { runProgram } from '#src/command-line/command-line.ts';
import { createIndexer } from './commands/commands.ts';

await runProgram(createIndexer());
