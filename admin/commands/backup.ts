import type { Command } from 'commander';
import { backUp } from '#backends/embedded/back-up.ts';
import { type JsonFlag, print, printJson } from '#src/command-line/command-line.ts';
import { loadConfig } from '#src/settings/config.ts';
import { quoteForShell } from '#text/printed.ts';

export function addTo(program: Command): void {
  program
    .command('backup')
    .description('copy the embedded store and its key pepper to a new folder; the service can keep running')
    .argument('<folder>', 'a folder that does not exist yet')
    .action(makeBackup);
}

async function makeBackup(folder: string, { json }: JsonFlag): Promise<void> {
  const { dataDir, keyPepper, mongoUri } = loadConfig();
  if (mongoUri !== null) {
    throw new Error(
      'records, keys and orders are in MongoDB. Back them up with its own tools (docs/operations.md, "Back up and restore").',
    );
  }
  const { hasPepper } = backUp(dataDir, folder);
  if (json) {
    printJson({ folder, has_key_pepper: hasPepper });
    return;
  }
  print(
    `Backed up the store to ${folder}. To run the service from it: MASTHEAD_DATA_DIR=${quoteForShell(folder)} npm start`,
  );
  if (hasPepper) print('The backup contains the key pepper. Keep it where nobody else can read it.');
  else if (keyPepper !== null) print('The backup does not contain KEY_PEPPER. Keep that with it.');
}
