import type { ContactsPatch, KeptContact } from './contacts/contact.ts';
import type * as vocabularies from './vocabularies.ts';

/** A record, in the shape and key order of the API. fields.json describes each key. Unknown values are `null` or an empty array. */
export interface MediaRecord {
  /** Stable; from the source, or derived by the importer. */
  id: string;
  kind: vocabularies.Kind;
  name: string;
  aliases: string[];
  url: string | null;
  description: string | null;
  /** BCP 47, in canonical form. */
  language: string | null;
  continent: vocabularies.Continent | null;
  /** ISO 3166-1 alpha-2; XK for Kosovo. */
  country: string | null;
  country_name: string | null;
  region: string | null;
  city: string | null;
  city_size: vocabularies.CitySize | null;
  type: vocabularies.OutletType | null;
  categories: vocabularies.Category[];
  coverage: vocabularies.Coverage | null;
  contact_name: string | null;
  contact_title: string | null;
  /** Only this field and those of contacts hold an address; it is scrubbed from all others. */
  email: string | null;
  email_status: vocabularies.EmailStatus | null;
  email_source: string | null;
  /** ISO 8601, UTC. */
  last_verified_at: string | null;
  phone: string | null;
  audience: number | null;
  frequency: vocabularies.Frequency | null;
  feed_url: string | null;
  platform: string | null;
  linkedin_url: string | null;
  /** ISO 8601, UTC: when the service last changed what it shows of the record; see dateOfChange. */
  updated_at: string;
  /** ISO 8601, UTC: when the record first came in. */
  created_at: string;
  tags: string[];
  /** In the order in which they came. */
  contacts: readonly KeptContact[];
  contact_count: number;
}

export type RecordKey = keyof MediaRecord;

/** The keys that show the first contact. */
export type FlatContactKey =
  | 'contact_name'
  | 'contact_title'
  | 'email'
  | 'email_status'
  | 'email_source'
  | 'last_verified_at'
  | 'phone';

/** The keys that follow from the contacts. No store keeps them, and only withContacts writes them. */
export type DerivedKey = FlatContactKey | 'contact_count';

/** A record as stores keep it. */
export type StoredRecord = Omit<MediaRecord, DerivedKey>;

export type SelectedRecord = Pick<MediaRecord, 'id'> & Partial<MediaRecord>;

/** What an import says about one record: an absent key keeps the stored value, `null` (or `[]`) clears it. */
export type RecordPatch = Pick<MediaRecord, 'id'> &
  Partial<Omit<StoredRecord, 'contacts'>> & {
    /** What is said of contacts, or exactly these, as commands make them. */
    contacts?: ContactsPatch | readonly KeptContact[];
    /** Fields whose value is read from another one, such as a region from its city: it replaces no stored value. */
    guessed?: readonly RecordKey[];
  };

/** The id prefix of sample records, which the first import of real records deletes. */
export const sampleIdPrefix = 'sample-';

/**
 * The date of a change of a record: now. It is later than that of the change before, also where the clock was set back, so
 * that callers who ask what changed since then hear of both.
 */
export function dateOfChange({ updated_at }: Pick<MediaRecord, 'updated_at'>, now: Date): string {
  return new Date(Math.max(now.getTime(), Date.parse(updated_at) + 1)).toISOString();
}

/** The record as of a change that its values do not show, such as being found again. */
export function redate(record: MediaRecord, now: Date): MediaRecord {
  return { ...record, updated_at: dateOfChange(record, now) };
}
