import { runProgram } from '#src/command-line/command-line.ts';
import { createAdmin } from './commands.ts';

await runProgram(createAdmin());
