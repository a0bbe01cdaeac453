import { fields, isKnown } from '#records/fields.ts';
import { maskEmail } from '#records/masking.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { kinds } from '#records/vocabularies.ts';
import { hashText } from '#text/hash-text.ts';
import { hostOfUrl } from '#text/hosts.ts';

/** The fields whose share is reported, in the order of the registry. What each record has, or is derived, says nothing. */
const reportedFields = fields
  .map(({ key }) => key)
  .filter((key) => !['id', 'kind', 'name', 'country_name', 'continent', 'updated_at'].includes(key));

/** When an address was last verified, by its age. */
const ages = ['last_30_days', 'last_90_days', 'last_year', 'older', 'never'] as const;
export type Age = (typeof ages)[number];

/** How well a set of records is filled. */
export interface Fill {
  records: number;
  /** How many records have each of the reported fields. */
  with: Record<string, number>;
  /** Records with an address, by when it was last verified. */
  verified: Record<Age, number>;
}

/** What is stored, and how good it is. */
interface DataReport extends Fill {
  /** ISO 8601, UTC. */
  created_at: string;
  kinds: ({ kind: string } & Fill)[];
  /** Most records first; null: records without a country. */
  countries: ({ country: string | null; country_name: string | null } & Fill)[];
  /** Each kind in each country, most records first. */
  kinds_by_country: ({ kind: string; country: string | null } & Fill)[];
  /** Records with an address, by its status. */
  email_statuses: Record<string, number>;
  /** Addresses, masked, and hosts of pages that many records have, most first. */
  shared_emails: Shared[];
  shared_hosts: Shared[];
}

/** What is stored, and what is known of it from elsewhere. */
export interface QualityReport extends DataReport {
  /** Null if they were not looked for. */
  duplicates: { groups: number; records: number };
}

const progressEvery = 5_000;
const dayMs = 24 * 60 * 60 * 1_000;

/** Reads all records once. Memory grows with the number of addresses and hosts, by some 100 bytes each. */
export async function collectReport(
  records: AsyncIterable<MediaRecord>,
  now: Date,
  onProgress: (records: number) => void = () => {},
): Promise<DataReport> {
  const tally = new Tally(now);
  for await (const record of records) {
    tally.add(record);
    if (tally.records % progressEvery === 0) onProgress(tally.records);
  }
  return tally.report();
}

class Tally {
  readonly #now: Date;
  readonly #shared = new SharedValues();
  readonly #total = emptyFill();
  readonly #kinds = new Map<string, { kind: string } & Fill>(kinds.map((kind) => [kind, { kind, ...emptyFill() }]));
  readonly #countries = new Map<string | null, DataReport['countries'][number]>();
  readonly #both = new Map<string, DataReport['kinds_by_country'][number]>();
  readonly #statuses: Record<string, number> = {};

  constructor(now: Date) {
    this.#now = now;
  }

  get records(): number {
    return this.#total.records;
  }

  add(record: MediaRecord): void {
    const { id, kind, country, country_name, email, email_status, url } = record;
    const fills = [
      this.#total,
      getOrAdd(this.#kinds, kind, () => ({ kind, ...emptyFill() })),
      getOrAdd(this.#countries, country, () => ({ country, country_name, ...emptyFill() })),
      getOrAdd(this.#both, `${kind} ${country}`, () => ({ kind, country, ...emptyFill() })),
    ];
    const known = reportedFields.filter((key) => isKnown(record[key]));
    const age = ageOf(record, this.#now);
    for (const fill of fills) {
      fill.records += 1;
      for (const key of known) increment(fill.with, key);
      if (age !== null) fill.verified[age] += 1;
    }
    const host = url === null ? null : hostOfUrl(url);
    if (host !== null) this.#shared.add('host', host, host, id);
    if (email === null) return;
    increment(this.#statuses, email_status ?? 'unknown');
    this.#shared.add('email', email.toLowerCase(), maskEmail(email), id);
  }

  report(): DataReport {
    return {
      created_at: this.#now.toISOString(),
      ...this.#total,
      kinds: [...this.#kinds.values()],
      countries: [...this.#countries.values()].toSorted(byRecords),
      kinds_by_country: [...this.#both.values()].toSorted(byRecords),
      email_statuses: this.#statuses,
      shared_emails: this.#shared.list('email'),
      shared_hosts: this.#shared.list('host'),
    };
  }
}

function emptyFill(): Fill {
  return {
    records: 0,
    with: Object.fromEntries(reportedFields.map((key) => [key, 0])),
    verified: { last_30_days: 0, last_90_days: 0, last_year: 0, older: 0, never: 0 },
  };
}

function increment(counts: Record<string, number>, key: string): void {
  counts[key] = (counts[key] ?? 0) + 1;
}

/** The age of what is known about the record's address; null without an address. */
function ageOf({ email, last_verified_at }: MediaRecord, now: Date): Age | null {
  if (email === null) return null;
  if (last_verified_at === null) return 'never';
  const days = (now.getTime() - Date.parse(last_verified_at)) / dayMs;
  if (days <= 30) return 'last_30_days';
  if (days <= 90) return 'last_90_days';
  return days <= 365 ? 'last_year' : 'older';
}

function getOrAdd<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const found = map.get(key) ?? create();
  map.set(key, found);
  return found;
}

function byRecords(one: Fill, other: Fill): number {
  return other.records - one.records;
}

/** A value that several records have. */
export interface Shared {
  /** As it may be shown. */
  value: string;
  records: number;
  /** The id of one of the records. */
  example: string;
}

type SharedKind = 'email' | 'host';

/** Fewer records may share a value by right: a publisher with two titles. */
const minRecords = 3;
const maxListed = 50;

/** Counts how many records have each value, of which it keeps a hash and what may be shown. */
class SharedValues {
  readonly #uses: Record<SharedKind, Map<number, Shared>> = { email: new Map(), host: new Map() };

  add(kind: SharedKind, value: string, shown: string, example: string): void {
    const use = getOrAdd(this.#uses[kind], hashText(value), () => ({ value: shown, records: 0, example }));
    use.records += 1;
    if (example < use.example) use.example = example;
  }

  /** The values of at least three records, most first. */
  list(kind: SharedKind): Shared[] {
    return [...this.#uses[kind].values()]
      .filter(({ records }) => records >= minRecords)
      .toSorted((a, b) => b.records - a.records || (a.value < b.value ? -1 : 1))
      .slice(0, maxListed);
  }
}
