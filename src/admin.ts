import { createAdmin } from './cli/admin/commands.ts';
import { runProgram } from './cli/command-line.ts';

await runProgram(createAdmin());
