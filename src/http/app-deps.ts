import type { Logger } from 'pino';
import type { FurtherKey } from '#accounts/further-key.ts';
import type { ListStore } from '#accounts/media-list.ts';
import type { PurchaseDeps } from '#accounts/purchase.ts';
import type { RequestCounter } from '#accounts/request-counter.ts';
import type { SavedSearches } from '#accounts/saved-search.ts';
import type { Session } from '#accounts/session.ts';
import type { SignInCodes } from '#accounts/sign-in-codes.ts';
import type { KeyStore } from '#accounts/stored-key.ts';
import type { UsageMeter } from '#accounts/usage.ts';
import type { ExportFormat } from '#outbound/export-records.ts';
import type { LeadTool } from '#outbound/outbound-lead.ts';
import type { PushDeps } from '#outbound/push-leads.ts';
import type { ChangeFeed } from '#records/change-feed.ts';
import type { KeyedStore } from '#records/keyed-store.ts';
import type { MergedIds } from '#records/record-store.ts';
import type { OwnModel } from '#search/meaning/own-model.ts';

/** Requests a minute: of addresses, of checkouts and order reads per address, and under a key of each plan. */
export interface RateLimits {
  anonymous: number;
  checkout: number;
  [tier: string]: number;
}

export interface AnsweredRequest {
  method: string;
  /** The pattern, such as `/api/v1/records/:id`; null if none matched. Never the URL: it may hold a typed address. */
  route: string | null;
  status: number;
  seconds: number;
  isBroken: boolean;
  /** The rows of an export; null for any other answer. */
  rows: number | null;
}

export interface Operator {
  name: string | null;
  termsUrl: string | null;
  privacyUrl: string | null;
  /** Days after a payment in which a buyer gets the money back. */
  refundDays: number | null;
}

/** Everything the HTTP layer uses. It reads no environment, clock or store but these. */
export interface AppDeps extends PurchaseDeps, Omit<PushDeps, 'room'> {
  keys: KeyStore;
  usage: UsageMeter;
  log: Logger;
  mergedIds: Pick<MergedIds, 'resolve'>;
  lists: ListStore;
  searches: SavedSearches;
  changeFeed: ChangeFeed;
  identity: { find(): Promise<string> };
  sessions: KeyedStore<Session>;
  signInCodes: SignInCodes;
  furtherKeys: KeyedStore<FurtherKey>;
  formats: readonly ExportFormat[];
  leadTools: readonly LeadTool[];
  answersMeaning: boolean;
  /** A model that the operator runs; null for the built-in table alone. */
  ownModel: Pick<OwnModel, 'compare'> | null;
  pushMaxAtOnce: number;
  /** Whether requests under other host names than those of this machine are refused (decisions/0046). */
  servesLoopbackHostsOnly: boolean;
  publicUrl: string;
  /** Other origins that buyers may return to from a payment. */
  returnOrigins: readonly string[];
  /** Where people ask to be removed from the list; null if not set. */
  contactEmail: string | null;
  /** Who sells here, for pages; null where not set. */
  operator: Operator;
  /** The files that pages load, by their path below the root, such as `assets/explorer.js`. */
  webFiles: ReadonlyMap<string, readonly URL[]>;
  rateLimits: RateLimits;
  /** Where requests are counted for all processes together; null if this is the only one. */
  sharedCounter: RequestCounter | null;
  /** Whose X-Forwarded-For is trusted: how many proxies, or which addresses. */
  trustProxy: false | number | readonly string[];
  reportRequest: (request: AnsweredRequest) => void;
  /** Aborted when the process is told to stop: requests that wait then end. */
  stopping: AbortSignal;
  /** Why the service is not ready, for searches or for everything; empty if it is. */
  listMissing: (purpose: 'search' | 'everything') => Promise<readonly string[]>;
}
