import { runProgram } from '#src/command-line/command-line.ts';
import { createIndexer } from './create-indexer.ts';

await runProgram(await createIndexer(process.argv[2]));
