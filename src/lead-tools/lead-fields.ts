import type { OutboundLead } from '#domain/outbound/outbound-lead.ts';

/** What both tools know only as custom fields, by the names of the exports' custom columns. */
export function customFields(lead: OutboundLead): Record<string, string | number | null> {
  return {
    kind: lead.kind,
    outlet_type: lead.outletType,
    topics: lead.topics,
    coverage: lead.coverage,
    language: lead.language,
    country: lead.country,
    region: lead.region,
    city: lead.city,
    audience: lead.audience,
    email_status: lead.emailStatus,
    record_id: lead.id,
  };
}

/** The fields that say something. */
export function dropEmpty<Value>(given: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '' && value !== null));
}
