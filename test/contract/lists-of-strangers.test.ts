import { describe, it } from 'vitest';
import { testStores } from '#testing/backends.ts';
import { ofForm } from '#testing/form.ts';
import { checkLists, ListImporter } from './check-lists.ts';

describe.each(testStores)('lists of strangers, $name', ({ open }) => {
  it('go in whole: no name disappears, and neither order nor another import changes that', {
    timeout: 300_000,
  }, async () => {
    const stores = await open();
    const importer = await ListImporter.open(stores);
    await checkLists(importer, ofForm(50, 2_000));
    await importer.close();
    await stores.close();
  });
});
