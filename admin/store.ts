import { existsSync } from 'node:fs';
import { backUp, restore } from '#backends/embedded/back-up.ts';
import { databasePath } from '#backends/embedded/database.ts';
import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { type JsonFlag, print, printJson, printResult } from '#src/command-line/command-line.ts';
import { printRows } from '#src/command-line/output.ts';
import { type CommandBackends, withBackends, withNewBackends } from '#src/command-line/with-backends.ts';
import { type Config, loadConfig } from '#src/settings/config.ts';
import { findPepper, requirePepper } from '#src/start/open-pepper.ts';
import { quoteForShell } from '#text/printed.ts';

/** What is to be done; it is told how to get the key pepper, which is made where there is none. */
type Work = (stores: CommandBackends, pepper: () => Promise<string>) => Promise<void>;

/** Opens the stores for one piece of work. The server may be running: it sees the change within five seconds (decisions/0056). */
export async function withStores(work: Work, open = withBackends): Promise<void> {
  await open(
    (stores, config) =>
      work(stores, async () => {
        const found = await findPepper(config, stores.pepper);
        await requirePepper(found, stores.pepper);
        return found.pepper;
      }),
    // An operator waits for a store that is down only as long as a request does.
    {},
  );
}

/** The same for work that makes an embedded store where there is none. */
export const withNewStores = (work: Work) => withStores(work, withNewBackends);

export async function makeBackup(folder: string, { json }: JsonFlag): Promise<void> {
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

export async function restoreBackup(
  folder: string,
  { force = false, json }: JsonFlag & { force?: boolean },
): Promise<void> {
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

const maxEntries = 1_000;

export async function showAudit({ json }: JsonFlag): Promise<void> {
  await withStores(async ({ audit }) => {
    const entries = await audit.list(maxEntries);
    printRows(entries, 'The audit log is empty.', json);
  });
}

/** `pepper replace`: uses the pepper of the settings, or that of the data folder, or creates one there. */
export async function replace({ json }: JsonFlag): Promise<void> {
  const { keyPepper, dataDir } = loadConfig();
  const name = keyPepper === null ? keyPepperPath(dataDir) : 'KEY_PEPPER';
  await withStores(async (stores) => {
    const pepper = keyPepper ?? readKeyPepper(dataDir) ?? makeKeyPepper(dataDir);
    await stores.pepper.replace(pepper, stores, new Date());
    const done = `${name} is now the key pepper of the store. Restart every process of the service.`;
    printResult({ pepper: name }, () => done, json);
  });
}
