import { type Api, connect, type MastheadOptions } from './connect.ts';
import { asDocumented } from './documented.ts';
import { type ExportFile, exportFile } from './export-file.ts';
import { lookUp } from './look-up.ts';
import { readAnswer } from './read-answer.ts';
import { readLines } from './read-lines.ts';
import { searchAll } from './search-all.ts';
import { sync } from './sync.ts';
import type {
  Account,
  CallOptions,
  ChangeOptions,
  ChangesPage,
  ChangesParameters,
  Checkout,
  CheckoutBody,
  ContactPage,
  ContactParameters,
  ContactRow,
  Copy,
  ExportFileParameters,
  ExportParameters,
  FacetParameters,
  Facets,
  LookupParameters,
  LookupResult,
  Order,
  Plan,
  PushBody,
  PushResult,
  RecordField,
  RotatedKey,
  SearchAllParameters,
  SearchPage,
  SearchParameters,
  SelectedRecord,
  SimilarParameters,
  SyncParameters,
  SyncResult,
  UsageDay,
} from './types.ts';

/** The API of one service, for the holder of one key. Every failure is a MastheadError. */
export interface Masthead {
  /** One page of a search. */
  search<const Field extends RecordField = RecordField>(
    parameters?: SearchParameters<Field>,
    options?: CallOptions,
  ): Promise<SearchPage<Field>>;
  /**
   * Every record of a search, page by page, each read when it is needed; a record that does not change meanwhile comes once.
   * Without a key, a search reaches its first 10,000 records: if there are more, the iteration ends with `page_too_deep` after
   * them. At one moment of the data: `exportRecords`.
   */
  searchAll<const Field extends RecordField = RecordField>(
    parameters?: SearchAllParameters<Field>,
    options?: CallOptions,
  ): AsyncGenerator<SelectedRecord<Field>, void, undefined>;
  /** One page of people and desks, best first: `{ q: 'education reporter boston', has_email: true }`. */
  searchContacts(parameters?: ContactParameters, options?: CallOptions): Promise<ContactPage>;
  /** How many records or contacts there are of each kind, country, category … */
  countFacets(parameters?: FacetParameters, options?: CallOptions): Promise<Facets>;
  /** One record; the one that was kept, if it was merged with another. */
  findRecord<const Field extends RecordField = RecordField>(
    id: string,
    parameters?: { fields?: Field[] },
    options?: CallOptions,
  ): Promise<SelectedRecord<Field>>;
  /** Media like one that you know. */
  findSimilar<const Field extends RecordField = RecordField>(
    id: string,
    parameters?: SimilarParameters<Field>,
    options?: CallOptions,
  ): Promise<SearchPage<Field>>;
  /** What ids, then domains find, in the order given; any number of them, 100 a request. */
  lookUp<const Field extends RecordField = RecordField>(
    parameters: LookupParameters<Field>,
    options?: CallOptions,
  ): AsyncGenerator<LookupResult<Field>, void, undefined>;
  /**
   * Every record that matches, of any number, as it arrives; needs a Premium plan. Ends with `incomplete_export` if
   * records are missing. Without `kind`, outlets.
   */
  exportRecords<const Field extends RecordField = RecordField>(
    parameters?: ExportParameters<Field>,
    options?: CallOptions,
  ): AsyncGenerator<SelectedRecord<Field>, void, undefined>;
  /** Every contact that meets the filters of contacts, at media that meet the others, like `exportRecords`. */
  exportContacts<const Field extends RecordField = RecordField>(
    parameters?: ExportParameters<Field>,
    options?: CallOptions,
  ): AsyncGenerator<ContactRow<Field>, void, undefined>;
  /** An export in any format as a stream of bytes; `saveExport` of masthead-client/node writes it to a file. */
  exportFile(parameters?: ExportFileParameters, options?: CallOptions): Promise<ExportFile>;
  /** What changed since a cursor, and what is gone; with `wait`, the answer comes with the first change. */
  readChanges<const Field extends RecordField = RecordField>(
    parameters?: ChangesParameters<Field>,
    options?: CallOptions,
  ): Promise<ChangesPage<Field>>;
  /**
   * Brings a copy up to date: reads everything at first, then only what has changed, and deletes what is gone. Saves the cursor
   * after each step, so a run that failed can be repeated. Reads everything again if the cursor has expired. Needs Premium.
   */
  sync<const Field extends RecordField = RecordField>(
    copy: Copy<Field>,
    parameters: SyncParameters<Field>,
    options?: CallOptions,
  ): Promise<SyncResult>;
  /** Sends leads to a campaign of an outbound tool. */
  pushLeads(body: PushBody, options?: ChangeOptions): Promise<PushResult>;
  /** The plan of the key. */
  readAccount(options?: CallOptions): Promise<Account>;
  /** What the key was used for on each of the last 30 days. */
  readUsage(options?: CallOptions): Promise<UsageDay[]>;
  /** A new key for this one, which goes on for `overlap_hours`, 0 to 72, 24 unless you say. Never sent twice. */
  rotateKey(parameters?: { overlap_hours?: number }, options?: CallOptions): Promise<RotatedKey>;
  listPlans(options?: CallOptions): Promise<Plan[]>;
  startCheckout(body: CheckoutBody, options?: ChangeOptions): Promise<Checkout>;
  /** An order. The first read after the payment has the key, which you must save. */
  readOrder(id: string, claimToken: string, options?: CallOptions): Promise<Order>;
  /** Every operation as the OpenAPI document describes it, with the same key, retries and errors. */
  api: Api;
}

export function createMasthead(options: MastheadOptions): Masthead {
  const api = connect(options);
  const withKey = ({ idempotencyKey = crypto.randomUUID() }: ChangeOptions) => ({
    header: { 'Idempotency-Key': idempotencyKey },
  });
  return {
    api,
    search: (query = {}, call = {}) =>
      readAnswer(call, (init) =>
        api.GET('/api/v1/search', { params: { query: asDocumented<'search'>(query) }, ...init }),
      ),
    searchAll: (parameters, call) => searchAll(api, options.apiKey !== undefined, parameters, call),
    searchContacts: (query = {}, call = {}) =>
      readAnswer(call, (init) =>
        api.GET('/api/v1/contacts', { params: { query: asDocumented<'searchContacts'>(query) }, ...init }),
      ),
    countFacets: (query = {}, call = {}) =>
      readAnswer(call, (init) =>
        api.GET('/api/v1/facets', { params: { query: asDocumented<'countFacets'>(query) }, ...init }),
      ),
    findRecord: (id, query = {}, call = {}) =>
      readAnswer(call, (init) => api.GET('/api/v1/records/{id}', { params: { path: { id }, query }, ...init })),
    findSimilar: (id, query = {}, call = {}) =>
      readAnswer(call, (init) => api.GET('/api/v1/records/{id}/similar', { params: { path: { id }, query }, ...init })),
    lookUp: (parameters, call) => lookUp(api, parameters, call),
    exportRecords: (parameters = {}, call = {}) => exportLines(api, parameters, call),
    exportContacts: (parameters = {}, call = {}) => exportLines(api, { ...parameters, rows: 'contacts' }, call),
    exportFile: (parameters = {}, call) => exportFile(api, parameters, call),
    readChanges: (query = {}, call = {}) =>
      readAnswer(call, (init) =>
        api.GET('/api/v1/changes', { params: { query: asDocumented<'readChanges'>(query) }, ...init }),
      ),
    sync: (copy, parameters, call) => sync(api, copy, parameters, call),
    pushLeads: (body, call = {}) =>
      readAnswer(call, (init) => api.POST('/api/v1/export/push', { params: withKey(call), body, ...init })),
    readAccount: (call = {}) => readAnswer(call, (init) => api.GET('/api/v1/me', init)),
    readUsage: async (call = {}) =>
      (await readAnswer<{ days: UsageDay[] }>(call, (init) => api.GET('/api/v1/me/usage', init))).days,
    rotateKey: (body = {}, call = {}) =>
      readAnswer(call, (init) => api.POST('/api/v1/me/key/rotate', { body, ...init })),
    listPlans: async (call = {}) =>
      (await readAnswer<{ plans: Plan[] }>(call, (init) => api.GET('/api/v1/plans', init))).plans,
    startCheckout: (body, call = {}) =>
      readAnswer(call, (init) => api.POST('/api/v1/checkout', { params: withKey(call), body, ...init })),
    readOrder: (id, claimToken, call = {}) =>
      readAnswer(call, (init) =>
        api.GET('/api/v1/orders/{id}', { params: { path: { id }, query: { claim_token: claimToken } }, ...init }),
      ),
  };
}

/** The rows of an export as ndjson, each read when it arrives. */
async function* exportLines<Row>(
  api: Api,
  parameters: ExportFileParameters,
  call: CallOptions,
): AsyncGenerator<Row, void, undefined> {
  const { body } = await exportFile(api, { ...parameters, format: 'ndjson' }, call);
  for await (const line of readLines(body)) {
    call.signal?.throwIfAborted();
    yield JSON.parse(line);
  }
}
