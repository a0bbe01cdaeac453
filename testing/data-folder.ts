import { openBackends } from '#src/start/open-backends.ts';
import { madeRecord } from './made-record.ts';

/**
 * Makes a data folder whose store holds one record. A service that starts there loads no sample, which takes longer than
 * most tests do.
 */
export async function makeDataFolder(dataDir: string): Promise<void> {
  const backends = await openBackends({ dataDir });
  await backends.records.merge([madeRecord({ id: 'only', name: 'The Only Herald', email: 'desk@only.example' })]);
  await backends.close();
}
