import type { Logger } from 'pino';
import type { Offer } from '#domain/plans/plans.ts';
import type { ExportFormat } from '#ports/export-format.ts';
import type { KeyStore } from '#ports/key-store.ts';
import type { LeadTool } from '#ports/lead-tool.ts';
import type { OrderStore } from '#ports/order-store.ts';
import type { PaymentProvider } from '#ports/payment-provider.ts';
import type { PushLog } from '#ports/push-log.ts';
import type { RequestCounter } from '#ports/request-counter.ts';
import type { Reservations } from '#ports/reservations.ts';
import type { SearchIndex } from '#ports/search-index.ts';
import type { SuppressionList } from '#ports/suppression-list.ts';
import type { WorkSlots } from '#ports/work-slots.ts';
import type { RateLimits } from './allowances.ts';
import type { AnsweredRequest } from './middleware/report-requests.ts';

/** All that the HTTP side works with. It reads no environment, no clock and no store but these. */
export interface AppDeps {
  index: SearchIndex;
  /** What was suppressed, asked by whatever outlasts a request. */
  suppressions: Pick<SuppressionList, 'listKeysSince'>;
  keys: KeyStore;
  orders: OrderStore;
  /** What Idempotency-Keys stand for. */
  reservations: Reservations;
  /** What exports can be, the default first. */
  formats: readonly ExportFormat[];
  /** Where leads are pushed to, and what is kept of it. */
  leadTools: readonly LeadTool[];
  pushes: PushLog;
  /** Counts the exports and pushes that run at once under a key, over all processes. */
  slots: WorkSlots;
  /** The most leads of one push. */
  pushMaxLeads: number;
  /** The most pushes that run at once in this process. */
  pushMaxAtOnce: number;
  /** What can be bought, the smaller plan before the larger. */
  plans: readonly Offer[];
  /** Who takes the payments; null where this service takes none. */
  payments: PaymentProvider | null;
  /** Whether requests under other host names than those of this machine are refused (decisions/0046). */
  servesLoopbackHostsOnly: boolean;
  /** Under which keys are hashed. */
  pepper: string;
  /** Where callers reach the service, without a slash at its end. */
  publicUrl: string;
  /** Whom to write to, to be taken off the list; null where nobody is named. */
  contactEmail: string | null;
  /** The files that the pages load, by their path below the root, such as `assets/explorer.js`. */
  webFiles: ReadonlyMap<string, URL>;
  rateLimits: RateLimits;
  /** Where requests are counted for all processes together; null where this is the only one. */
  sharedCounter: RequestCounter | null;
  /** Whose X-Forwarded-For is believed: how many proxies, or which addresses. */
  trustProxy: false | number | readonly string[];
  log: Logger;
  /** Hears of every request once its answer is out, or its caller gone. */
  reportRequest: (request: AnsweredRequest) => void;
  now: () => Date;
  /** What is missing for answering searches, in words; nothing when ready. */
  listMissing: () => Promise<readonly string[]>;
}
