import { backUp } from '#backends/embedded/back-up.ts';
import { loadConfig } from '#src/settings/config.ts';
import { print, printJson } from '../command-line.ts';
import { quoteForShell } from '../quote-for-shell.ts';

/** `backup` */
export async function makeBackup(folder: string, json: boolean): Promise<void> {
  const { dataDir, mongoUri, keyPepper } = loadConfig();
  if (mongoUri !== null) {
    throw new Error(
      'records, keys and orders are in MongoDB. Back them up with its own tools (docs/operations.md, "Back up and restore").',
    );
  }
  const { hasPepper } = await backUp(dataDir, folder);
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
