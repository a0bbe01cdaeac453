import { runProgram } from './cli/command-line.ts';
import { createIndexer } from './cli/indexer/commands.ts';

await runProgram(createIndexer());
