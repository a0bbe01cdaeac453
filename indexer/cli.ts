import { Command } from 'commander';
import { holdsAddress } from '#domain/normalize/scrub-addresses.ts';
import { describeStartFault } from '#src/describe-start-fault.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { deleteCommand } from './commands/delete.ts';
import { importCommand } from './commands/import.ts';
import { reindexCommand } from './commands/reindex.ts';
import { rollbackCommand } from './commands/rollback.ts';
import { sampleCommand } from './commands/sample.ts';
import { statusCommand } from './commands/status.ts';
import { suppressCommand } from './commands/suppress.ts';
import { suppressionsCommand } from './commands/suppressions.ts';
import { syncCommand } from './commands/sync.ts';
import { unsuppressCommand } from './commands/unsuppress.ts';
import { verifyCommand } from './commands/verify.ts';

const program = new Command('indexer')
  .description('What data staff do with records.')
  .showHelpAfterError()
  // What was mistyped is quoted, and may be an address.
  .configureOutput({
    outputError: (text, write) =>
      write(holdsAddress(text) ? 'error: unknown option or argument (not repeated here: it holds an address)\n' : text),
  });

const commands = [
  importCommand,
  deleteCommand,
  suppressCommand,
  unsuppressCommand,
  suppressionsCommand,
  syncCommand,
  reindexCommand,
  rollbackCommand,
  verifyCommand,
  statusCommand,
  deadLettersCommand,
  sampleCommand,
];

for (const command of commands) {
  program.addCommand(command.copyInheritedSettings(program));
}

try {
  await program.parseAsync();
} catch (error) {
  console.error(describeStartFault(error));
  process.exitCode = 1;
}
