import { createAdmin } from './admin/commands.ts';
import { runProgram } from './command-line.ts';

await runProgram(createAdmin());
