import { runProgram } from '#src/command-line/command-line.ts';
import { createAdmin } from './create-admin.ts';

await runProgram(await createAdmin(process.argv[2]));
