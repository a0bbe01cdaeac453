import { keyPepperPath, makeKeyPepper, readKeyPepper } from '#backends/embedded/key-pepper.ts';
import { loadConfig } from '#src/settings/config.ts';
import { describeDependents } from '#src/start/open-pepper.ts';
import { replacePepper } from '#usecases/replace-pepper.ts';
import { print, printJson } from '../command-line.ts';
import { withStores } from './with-stores.ts';

/** `pepper replace`: uses the pepper of the settings, or that of the data folder, or creates one there. */
export async function replace(json: boolean): Promise<void> {
  const { keyPepper, dataDir } = loadConfig();
  const pepper = keyPepper ?? readKeyPepper(dataDir) ?? makeKeyPepper(dataDir);
  const name = keyPepper === null ? keyPepperPath(dataDir) : 'KEY_PEPPER';
  await withStores(async (stores) => {
    const dependents = await replacePepper(stores, pepper, new Date());
    if (json) {
      printJson({ pepper: name, made_before: dependents });
      return;
    }
    print(`${name} is now the key pepper of the store.`);
    print(`Made with the old one: ${describeDependents(dependents)}. Restart every process of the service.`);
  });
}
