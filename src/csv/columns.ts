import { fields } from '#domain/fields.ts';
import type { MediaRecord } from '#domain/media-record.ts';
import type { ExportFormat, OutboundFormat } from '#domain/outbound/export-format.ts';
import { type OutboundLead, toLead } from '#domain/outbound/outbound-lead.ts';
import { guardFormula } from './guard-formula.ts';

/** How one format writes records: its heading, and the cells of a record in that order. */
export interface Columns {
  headings: readonly string[];
  /** Null where the format has no row for the record. */
  toCells(record: MediaRecord): string[] | null;
}

type LeadKey = keyof OutboundLead;
/** A heading with what stands under it; null for a column that is left to whoever sends: an opening line, a picture. */
type LeadColumn = readonly [heading: string, key: LeadKey | null];

/** Custom columns, the same for tools that write with underscores. At most 20 characters each, at most 20 of them. */
const customColumns: readonly LeadColumn[] = [
  ['kind', 'kind'],
  ['outlet_type', 'outletType'],
  ['topics', 'topics'],
  ['coverage', 'coverage'],
  ['language', 'language'],
  ['country', 'country'],
  ['region', 'region'],
  ['city', 'city'],
  ['audience', 'audience'],
  ['email_status', 'emailStatus'],
  ['record_id', 'id'],
];

/** The headings by which each tool's importer knows its own fields, then custom ones. */
const leadColumns: Record<OutboundFormat, readonly LeadColumn[]> = {
  instantly: [
    ['email', 'email'],
    ['first_name', 'firstName'],
    ['last_name', 'lastName'],
    ['company_name', 'companyName'],
    ['website', 'website'],
    ['phone', 'phone'],
    ['personalization', null],
    ['job_title', 'jobTitle'],
    ['linkedin_url', 'linkedinUrl'],
    ...customColumns,
  ],
  smartlead: [
    ['email', 'email'],
    ['first_name', 'firstName'],
    ['last_name', 'lastName'],
    ['company_name', 'companyName'],
    ['phone_number', 'phone'],
    ['website', 'website'],
    ['location', 'location'],
    ['linkedin_profile', 'linkedinUrl'],
    ['company_url', 'website'],
    ['job_title', 'jobTitle'],
    ...customColumns,
  ],
  lemlist: [
    ['email', 'email'],
    ['firstName', 'firstName'],
    ['lastName', 'lastName'],
    ['picture', null],
    ['phone', 'phone'],
    ['linkedinUrl', 'linkedinUrl'],
    ['companyName', 'companyName'],
    ['companyDomain', 'domain'],
    ['icebreaker', null],
    ['jobTitle', 'jobTitle'],
    ['website', 'website'],
    ...customColumns.map(([heading, key]): LeadColumn => [toCamelCase(heading), key]),
  ],
};

export const columnsOf: Record<ExportFormat, Columns> = {
  csv: recordColumns(),
  instantly: toColumns(leadColumns.instantly),
  smartlead: toColumns(leadColumns.smartlead),
  lemlist: toColumns(leadColumns.lemlist),
};

/** Every field of the registry, in its order; lists with `|` between their values. */
function recordColumns(): Columns {
  const keys = fields.map(({ key }) => key);
  return {
    headings: keys,
    toCells: (record) => keys.map((key) => guardFormula(toText(record[key]))),
  };
}

/** Mail merges take these as they are, so nothing in them is changed. */
function toColumns(columns: readonly LeadColumn[]): Columns {
  return {
    headings: columns.map(([heading]) => heading),
    toCells: (record) => {
      const lead = toLead(record);
      return lead && columns.map(([, key]) => (key === null ? '' : toText(lead[key])));
    },
  };
}

function toText(value: string | number | readonly string[] | null): string {
  if (value === null) return '';
  return typeof value === 'object' ? value.join('|') : String(value);
}

function toCamelCase(heading: string): string {
  return heading.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
