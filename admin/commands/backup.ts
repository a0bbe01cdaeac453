import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { backUp, restore } from '#backends/embedded/back-up.ts';
import { databasePath } from '#backends/embedded/database.ts';
import { type JsonFlag, print, printJson, printResult } from '#src/command-line/command-line.ts';
import { type Config, loadConfig } from '#src/settings/config.ts';
import { quoteForShell } from '#text/printed.ts';

export function addTo(program: Command): void {
  program
    .command('backup')
    .description('copy the embedded store and its key pepper to a new folder; the service can keep running')
    .argument('<folder>', 'a folder that does not exist yet')
    .action(makeBackup);
  program
    .command('restore')
    .description('put a backup into the data folder; the service must be stopped')
    .argument('<folder>', 'a folder that `backup` made')
    .option('--force', 'replace the store that is there')
    .action(restoreBackup);
}

async function makeBackup(folder: string, { json }: JsonFlag): Promise<void> {
  const { dataDir, keyPepper } = loadEmbedded('Back them up');
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

async function restoreBackup(folder: string, { force = false, json }: JsonFlag & { force?: boolean }): Promise<void> {
  const { dataDir, keyPepper } = loadEmbedded('Restore them');
  if (!force && existsSync(databasePath(dataDir))) {
    throw new Error(`${dataDir} has a store already. Add --force to replace it, or set another MASTHEAD_DATA_DIR.`);
  }
  restore(folder, dataDir, keyPepper);
  const done = `Restored ${folder} to ${dataDir}. Start the service, then check a search and: npm run admin -- keys list`;
  printResult({ folder, data_dir: dataDir }, () => done, json);
}

function loadEmbedded(verb: string): Config {
  const config = loadConfig();
  if (config.mongoUri === null) return config;
  throw new Error(
    `records, keys and orders are in MongoDB. ${verb} with its own tools (docs/operations.md, "Back up and restore").`,
  );
}
