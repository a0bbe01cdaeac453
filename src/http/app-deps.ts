import type { Duplex, Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { MediaRecord } from '#domain/media-record.ts';
import type { ExportFormat } from '#domain/outbound/export-format.ts';
import type { LeadToolName } from '#domain/outbound/push.ts';
import type { Offers } from '#domain/plans/offer.ts';
import type { PaymentEvent } from '#domain/plans/payment-event.ts';
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

/** The steps that turn batches of records into the bytes of a file. */
export type WriteFile = (
  batches: AsyncIterable<readonly MediaRecord[]>,
  format: ExportFormat,
) => readonly [Readable, ...Duplex[]];

/** All that the HTTP side works with. It reads no environment, no clock and no store but these. */
export interface AppDeps {
  index: SearchIndex;
  /** What was suppressed, asked by whatever outlasts a request. */
  suppressions: Pick<SuppressionList, 'listKeysSince'>;
  keys: KeyStore;
  orders: OrderStore;
  /** What Idempotency-Keys stand for. */
  reservations: Reservations;
  /** Writes the files of exports. */
  writeFile: WriteFile;
  /** Where leads are pushed to, and what is kept of it. */
  leadTools: Readonly<Record<LeadToolName, LeadTool>>;
  pushes: PushLog;
  /** Counts the exports and pushes that run at once under a key, over all processes. */
  slots: WorkSlots;
  /** The most leads of one push. */
  pushMaxLeads: number;
  /** The most pushes that run at once in this process. */
  pushMaxAtOnce: number;
  /** What plans cost. */
  offers: Offers;
  /** Who takes the payments; null where this service takes none. */
  payments: PaymentProvider | null;
  /** Null without a Stripe key: then there is no path for Stripe's events. */
  readStripeEvent: ReadStripeEvent | null;
  /** Whether payments are a test, made on a page of this service. */
  hasSandbox: boolean;
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

/**
 * What an event that Stripe sent says; null where it says nothing of a payment.
 * Throws Problem `invalid_request` where it is not signed by Stripe, or long ago.
 */
export type ReadStripeEvent = (body: Buffer, signature: string, now: Date) => PaymentEvent | null;
