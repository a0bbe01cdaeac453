import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import type { AuditLog } from '#ports/audit-log.ts';
import type { KeyStore } from '#ports/key-store.ts';
import type { OrderStore } from '#ports/order-store.ts';
import type { PushLog } from '#ports/push-log.ts';
import type { RecordStore } from '#ports/record-store.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import type { Config } from './config.ts';

/** The stores and the index behind the ports, of whichever backend the settings choose. */
export interface Backends {
  kind: 'embedded' | 'production';
  records: RecordStore;
  index: SearchIndex;
  keys: KeyStore;
  orders: OrderStore;
  audit: AuditLog;
  pushes: PushLog;
  close(): Promise<void>;
}

/** What the settings say of the backends. */
export type BackendSettings = Pick<Config, 'dataDir'>;

/**
 * Opens the backend that the settings choose.
 *
 * @throws Error whose message is one line that says what is wrong and what to do.
 */
export async function openBackends({ dataDir }: BackendSettings): Promise<Backends> {
  return { kind: 'embedded', ...openEmbedded({ dataDir }) };
}
