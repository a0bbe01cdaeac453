import type * as vocabularies from './vocabularies.ts';

/** A record, in the shape and key order of the API. fields.ts describes each key. Unknown values are `null` or an empty array. */
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
  /** The only field that holds an address; it is scrubbed from all others. */
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
  /** ISO 8601, UTC: when the service last changed what it shows of the record; see service-dates.ts. */
  updated_at: string;
  /** ISO 8601, UTC: when the record first came in. */
  created_at: string;
  tags: string[];
}

export type RecordKey = keyof MediaRecord;

export type SelectedRecord = Pick<MediaRecord, 'id'> & Partial<MediaRecord>;

/** What an import says about one record: an absent key keeps the stored value, `null` (or `[]`) clears it. */
export type RecordPatch = Pick<MediaRecord, 'id'> &
  Partial<MediaRecord> & {
    /** Fields whose value is read from another one, such as a region from its city: it replaces no stored value. */
    guessed?: readonly RecordKey[];
  };

/** The id prefix of sample records, which the first import of real records deletes. */
export const sampleIdPrefix = 'sample-';
