import type { QueryOf } from './documented.ts';
import type { components, operations } from './openapi.ts';

/** A record with every field. Unknown values are null; `email` is masked without an active plan. */
export type MediaRecord = Required<components['schemas']['Record']>;
export type RecordField = keyof MediaRecord;

/** A record with the fields that were asked for, and its id. */
export type SelectedRecord<Field extends RecordField = RecordField> = Pick<MediaRecord, 'id' | Field>;

/** A person or a desk at a medium. */
export type Contact = components['schemas']['Contact'];

/** The keys of a record that show its contacts. */
type ContactField =
  | 'contacts'
  | 'contact_count'
  | 'contact_name'
  | 'contact_title'
  | 'email'
  | 'email_status'
  | 'email_source'
  | 'last_verified_at'
  | 'phone';

/** A contact, and its record with the fields that were asked for, but none of contacts. */
export interface ContactRow<Field extends RecordField = RecordField> {
  contact: Contact;
  record: SelectedRecord<Exclude<Field, ContactField>>;
}

export type Account = components['schemas']['Account'];
export type Checkout = components['schemas']['Checkout'];
export type Facets = components['schemas']['Facets'];
export type Order = components['schemas']['Order'];
export type Plan = components['schemas']['Plan'];
export type PushResult = components['schemas']['Push'];
export type RotatedKey = components['schemas']['RotatedKey'];
export type UsageDay = components['schemas']['Usage']['days'][number];

/** An RFC 9457 problem, as every error answer has it. */
export type ProblemBody = components['schemas']['Problem'];
export type ProblemCode = ProblemBody['code'];
/** What is wrong with one parameter or body field. */
export type FieldError = components['schemas']['FieldError'];

type BodyOf<Operation extends 'pushLeads' | 'startCheckout'> =
  operations[Operation]['requestBody']['content']['application/json'];

/** Which fields a record of an answer has; without it, all of them. */
interface Selection<Field extends RecordField> {
  fields?: Field[];
}

/**
 * What a search, the counts and an export are limited to. Of several values a record must have any, of values with `!` in
 * front none: `{ kind: 'podcast', country: ['US', 'CA'], category: '!sports' }`.
 */
export type Filters = Omit<QueryOf<'countFacets'>, 'rows'>;
/** What is counted: records, or contacts with `rows: 'contacts'`. */
export type FacetParameters = QueryOf<'countFacets'>;

export type ContactParameters = QueryOf<'searchContacts'>;
export type ContactPage = components['schemas']['ContactPage'];

export type SearchParameters<Field extends RecordField = RecordField> = Omit<QueryOf<'search'>, 'fields'> &
  Selection<Field>;
/** A search without the choice of a page. */
export type SearchAllParameters<Field extends RecordField = RecordField> = Omit<
  SearchParameters<Field>,
  'page' | 'per_page' | 'after' | 'explain'
>;
export type SimilarParameters<Field extends RecordField = RecordField> = Omit<QueryOf<'findSimilar'>, 'fields'> &
  Selection<Field>;

export type ExportFormat = NonNullable<QueryOf<'export'>['format']>;
export type ExportFileParameters = QueryOf<'export'>;
export type ExportParameters<Field extends RecordField = RecordField> = Filters & Selection<Field>;

export interface SearchPage<Field extends RecordField = RecordField>
  extends Omit<components['schemas']['SearchPage'], 'results' | 'also'> {
  results: SelectedRecord<Field>[];
  /** Near in meaning to a text that fewer than ten records match. */
  also?: SelectedRecord<Field>[];
}

export interface LookupParameters<Field extends RecordField = RecordField> extends Selection<Field> {
  ids?: readonly string[];
  /** Hosts, or URLs. An email address counts as its host. */
  domains?: readonly string[];
  urls?: readonly string[];
  /** Email addresses. Without an active plan, they count as their hosts. */
  emails?: readonly string[];
  /** Only records of these kinds. */
  kind?: MediaRecord['kind'] | readonly MediaRecord['kind'][];
}

/** What one id, domain, URL or address has found. */
export interface LookupResult<Field extends RecordField = RecordField> {
  /** As it was given. */
  asked: string;
  /** Null if no single record is meant. */
  record: SelectedRecord<Field> | null;
  /** How many records have this id, page or address; if none has, how many are at its host. */
  matches: number;
}

/** What became of a record: `record` is there with `upsert`, and `merged_into` if it is gone because it was merged. */
export interface Change<Field extends RecordField = RecordField> {
  id: string;
  change: 'upsert' | 'gone';
  merged_into?: string;
  record?: SelectedRecord<Field>;
}

export interface ChangesPage<Field extends RecordField = RecordField> {
  changes: Change<Field>[];
  /** The cursor of the next request. */
  next: string;
  has_more: boolean;
}

export type ChangesParameters<Field extends RecordField = RecordField> = Omit<QueryOf<'readChanges'>, 'fields'> &
  Selection<Field>;

/** Where `sync` keeps a copy. */
export interface Copy<Field extends RecordField = RecordField> {
  /** The cursor that was saved last; null if there is none, or to begin anew. */
  readCursor(): string | null | Promise<string | null>;
  saveCursor(cursor: string): unknown;
  /** Inserts a record, or puts it in place of the one with its id. */
  upsert(record: SelectedRecord<Field>): unknown;
  /** Deletes a record, if the copy has it. `mergedInto` is the record that it was merged into, if it was. */
  remove(id: string, mergedInto: string | null): unknown;
  /** The ids of all records that the copy has. */
  listIds(): Iterable<string> | Promise<Iterable<string>>;
}

/** What a copy has: all records of one kind or several, whole or with some fields. */
export interface SyncParameters<Field extends RecordField = RecordField> extends Selection<Field> {
  kind: MediaRecord['kind'] | MediaRecord['kind'][];
}

export interface SyncResult {
  /** Whether everything was read, not only what changed. */
  isWhole: boolean;
  upserted: number;
  removed: number;
}

export type PushBody = Omit<BodyOf<'pushLeads'>, 'filters'> & { filters?: Filters };
export type CheckoutBody = BodyOf<'startCheckout'>;

/** What every call takes besides its parameters. */
export interface CallOptions {
  /** Ends the call, also while it waits for a retry or reads an export. */
  signal?: AbortSignal;
}

/** What a call takes that changes something. */
export interface ChangeOptions extends CallOptions {
  /**
   * A UUID: the service does the same thing once, however often it is asked within 24 hours. If you give none, each call
   * has one of its own, so its retries are safe; give one to repeat a call after your process has ended.
   */
  idempotencyKey?: string;
}
