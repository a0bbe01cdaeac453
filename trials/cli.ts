/**
 * `npm run trials`: runs what takes minutes, kills processes, or promises times that only a quiet machine can keep.
 * Each trial starts what it needs, and exits with 1 if a promise is broken.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { composeCommand } from './compose/command.ts';
import { duplicatesCommand } from './duplicates/command.ts';
import { failoverCommand } from './failover/command.ts';
import { fuzzCommand } from './fuzz/command.ts';
import { lighthouseCommand } from './lighthouse/command.ts';
import { outageCommand } from './outage/command.ts';
import { pagesCommand } from './pages/command.ts';
import { purchaseCommand } from './purchase/command.ts';
import { pushCommand } from './push/command.ts';
import { roundTripCommand } from './round-trip/command.ts';
import { soakCommand } from './soak/command.ts';
import { syncCommand } from './sync/command.ts';
import { undoCommand } from './undo/command.ts';

const program = new Command('trials')
  .description('Puts the service through what it has to survive. docs/trials.md says what each trial does.')
  .argument('[names...]', 'with --short: run only the files whose path has one of these')
  .option('--short', 'run the short form of every trial and print how many passed')
  .action(() => program.help({ error: true }));
for (const command of [
  syncCommand,
  outageCommand,
  failoverCommand,
  purchaseCommand,
  pushCommand,
  undoCommand,
  soakCommand,
  fuzzCommand,
  pagesCommand,
  lighthouseCommand,
  composeCommand,
  duplicatesCommand,
  roundTripCommand,
]) {
  program.addCommand(command);
}

// Names of trials are also commands, so --short is read here: before a name, and after one that has no such option itself.
const args = process.argv.slice(2);
const named = program.commands.find((command) => command.name() === args[0]);
const isShort = args.includes('--short') && !named?.options.some(({ long }) => long === '--short');

try {
  if (isShort) await runShortForms(args.filter((arg) => arg !== '--short'));
  else await program.parseAsync();
} catch (error) {
  program.error(`trials: ${error instanceof Error ? error.message : error}`);
}

/** The short forms are the files `*.trial.ts`, which vitest runs and counts. */
async function runShortForms(names: readonly string[]): Promise<void> {
  const vitest = fileURLToPath(new URL('vitest.mjs', import.meta.resolve('vitest/package.json')));
  const config = fileURLToPath(new URL('vitest.config.ts', import.meta.url));
  const root = fileURLToPath(new URL('..', import.meta.url));
  const args = [vitest, 'run', '--config', config, ...names];
  const running = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const [code] = await once(running, 'close');
  process.exitCode = code ?? 1;
}
