import { Command } from 'commander';
import { describeStartFault } from '#src/describe-start-fault.ts';
import { deleteCommand } from './commands/delete.ts';
import { importCommand } from './commands/import.ts';
import { reindexCommand } from './commands/reindex.ts';
import { sampleCommand } from './commands/sample.ts';

const program = new Command('indexer').description('What data staff do with records.').showHelpAfterError();

for (const command of [importCommand, deleteCommand, reindexCommand, sampleCommand]) {
  program.addCommand(command.copyInheritedSettings(program));
}

try {
  await program.parseAsync();
} catch (error) {
  console.error(describeStartFault(error));
  process.exitCode = 1;
}
