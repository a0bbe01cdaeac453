import type { Command } from 'commander';
import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { type JsonFlag, printResult } from '#src/command-line/command-line.ts';
import { loadConfig } from '#src/settings/config.ts';
import { withStores } from '../open-stores.ts';

export function addTo(program: Command): void {
  program
    .command('pepper')
    .description('replace the secret that hashes keys')
    .command('replace')
    .description('use the pepper of the current settings; keys and orders made with the old one stop working')
    .action(replacePepper);
}

/** Makes the pepper of the settings or of the data folder the store's. If neither has one, creates one in the data folder. */
async function replacePepper({ json }: JsonFlag): Promise<void> {
  const { keyPepper, dataDir } = loadConfig();
  const name = keyPepper === null ? keyPepperPath(dataDir) : 'KEY_PEPPER';
  await withStores(async (stores) => {
    const pepper = keyPepper ?? readKeyPepper(dataDir) ?? makeKeyPepper(dataDir);
    await stores.pepper.replace(pepper, stores, new Date());
    const done = `${name} is now the key pepper of the store. Restart every process of the service.`;
    printResult({ pepper: name }, () => done, json);
  });
}
