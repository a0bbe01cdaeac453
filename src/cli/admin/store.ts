import { backUp } from '#backends/embedded/back-up.ts';
import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { loadConfig } from '#src/settings/config.ts';
import { describeDependents } from '#src/start/open-pepper.ts';
import { replacePepper } from '#usecases/replace-pepper.ts';
import { type JsonFlag, print, printJson, printResult, quoteForShell } from '../command-line.ts';
import { printTable } from '../print-table.ts';
import { withStores } from './with-stores.ts';

/** `backup` */
export async function makeBackup(folder: string, { json }: JsonFlag): Promise<void> {
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

/** Number of audit log entries to print. */
const maxEntries = 1_000;

/** `audit` */
export async function showAudit({ json }: JsonFlag): Promise<void> {
  await withStores(async ({ audit }) => {
    const entries = await audit.list(maxEntries);
    if (json) printJson(entries);
    else printTable(entries, 'The audit log is empty.');
  });
}

/** `pepper replace`: uses the pepper of the settings, or that of the data folder, or creates one there. */
export async function replace({ json }: JsonFlag): Promise<void> {
  const { keyPepper, dataDir } = loadConfig();
  const pepper = keyPepper ?? readKeyPepper(dataDir) ?? makeKeyPepper(dataDir);
  const name = keyPepper === null ? keyPepperPath(dataDir) : 'KEY_PEPPER';
  await withStores(async (stores) => {
    const dependents = await replacePepper(stores, pepper, new Date());
    const madeBefore = describeDependents(dependents);
    const done = `${name} is now the key pepper of the store.\nMade with the old one: ${madeBefore}. Restart every process of the service.`;
    printResult({ pepper: name, made_before: dependents }, () => done, json);
  });
}
