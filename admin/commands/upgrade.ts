import type { Command } from 'commander';
import { type JsonFlag, printResult } from '#src/command-line/command-line.ts';
import { withBackends } from '#src/command-line/with-backends.ts';
import { jobTimeoutMs } from '#src/start/open-backends.ts';

export function addTo(program: Command): void {
  program
    .command('upgrade')
    .description("bring the store to this version's form, as every start does; exits with 0 once it has it")
    .option('--shared-server', 'processes of 1.1 and 1.2 that are connected to MongoDB use other databases')
    .action(upgrade);
}

/** Opening the store upgrades it. */
async function upgrade({ sharedServer = false, json }: JsonFlag & { sharedServer?: boolean }): Promise<void> {
  await withBackends(
    async ({ whenPrepared }) => {
      await whenPrepared();
      printResult({ is_upgraded: true }, () => "The store has this version's form.", json);
    },
    { timeoutMs: jobTimeoutMs, sharesServer: sharedServer },
  );
}
