import { openIndexer } from '#indexer/open-indexer.ts';
import { madeRecord } from './made-record.ts';

/**
 * Creates a data folder whose store holds one record, so a service that starts there does not load the sample, which
 * takes longer than most tests.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const backends = await openIndexer({ dataDir });
  await backends.records.merge([madeRecord({ id: 'only', name: 'The Only Herald', email: 'desk@only.example' })]);
  await backends.close();
}
