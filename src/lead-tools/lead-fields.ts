import { customColumns } from '#outbound/lead-tool.ts';
import type { OutboundLead } from '#outbound/outbound-lead.ts';

type Fields = Record<string, string | number | null>;

/** What tools know only as custom fields, by the names of the exports' custom columns. */
export function customFields(lead: OutboundLead): Fields {
  return Object.fromEntries(customColumns.map(([heading, key]) => [heading, lead[key]]));
}

/** The fields that have a value. */
export function dropEmpty(given: Fields): Fields {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== null));
}
