import { describe, it } from 'vitest';
import { testStores } from '#testing/backends.ts';
import { checkLists, ListImporter } from './check-lists.ts';

describe.each(testStores)('lists of strangers, $name', ({ open }) => {
  it('go in whole: no name disappears, and neither order nor another import changes that', {
    timeout: 60_000,
  }, async () => {
    const stores = await open();
    const importer = await ListImporter.open(stores);
    await checkLists(importer, 50);
    await importer.close();
    await stores.close();
  });
});
