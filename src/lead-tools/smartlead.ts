import { customColumns, type LeadColumn } from '#outbound/outbound-lead.ts';
import { fieldsOf, firstCount, sumCounts, type ToolBody, type ToolDefinition } from './tool-definition.ts';

const leadColumns: readonly LeadColumn[] = [
  ['email', 'email'],
  ['first_name', 'firstName'],
  ['last_name', 'lastName'],
  ['company_name', 'companyName'],
  ['phone_number', 'phone'],
  ['website', 'website'],
  ['location', 'location'],
  ['linkedin_profile', 'linkedinUrl'],
  ['company_url', 'website'],
];
const ownColumns: readonly LeadColumn[] = [['job_title', 'jobTitle'], ...customColumns];

/** Documented names of the number of leads that are new in the campaign. `upload_count` is not: it counts what was sent. */
const addedNames = ['total_leads', 'added_count', 'inserted_count'];

const isExhausted = (body: ToolBody) => body.is_lead_limit_exhausted === true;

/** Smartlead, API v1: POST /campaigns/{id}/leads. */
export const smartlead: ToolDefinition = {
  name: 'smartlead',
  title: 'Smartlead',
  columns: [...leadColumns, ...ownColumns],
  push: {
    base: {
      setting: 'SMARTLEAD_API_BASE',
      default: 'https://server.smartlead.ai/api/v1',
      doc: "Base URL of Smartlead's API, with /api/v1. Change it only for tests.",
    },
    campaignId: { pattern: /^[1-9]\d{0,17}$/, right: 'a string of digits, such as "12345"' },
    // The API accepts 400 at once. Older documentation says 350 or 100. A batch of 100 fits all of them.
    batchSize: 100,
    // Its documents say different limits. These are the strictest, 10 in 2 seconds and 60 a minute, with some margin.
    limits: [
      { limit: 10, interval: 2_200 },
      { limit: 60, interval: 61_000 },
    ],
    request: (leads, { apiKey, campaignId }) => ({
      path: `/campaigns/${encodeURIComponent(campaignId)}/leads?api_key=${encodeURIComponent(apiKey)}`,
      body: {
        lead_list: leads.map((lead) => ({
          ...fieldsOf(lead, leadColumns),
          custom_fields: fieldsOf(lead, ownColumns),
        })),
        // Block and unsubscribe lists stay in force. The last option, if true, skips leads of other campaigns, although the
        // guide says the contrary. So it is always set.
        settings: {
          ignore_global_block_list: false,
          ignore_unsubscribe_list: false,
          ignore_community_bounce_list: false,
          ignore_duplicate_leads_in_other_campaign: false,
        },
      },
    }),
    counterNames: [
      'upload_count',
      ...addedNames,
      'duplicate_count',
      'already_added_to_campaign',
      'invalid_email_count',
      'invalid_emails',
      'block_count',
      'blocked_count',
      'unsubscribed_leads',
      'bounce_count',
      'skipped_in_other_campaign_count',
      'skipped_count',
      'lead_import_stopped_count',
    ],
    count: (body) => ({
      added: firstCount(body, addedNames) ?? (isExhausted(body) ? 0 : null),
      duplicates: sumCounts(body, ['duplicate_count', 'already_added_to_campaign']),
      invalid: firstCount(body, ['invalid_email_count', 'invalid_emails']) ?? 0,
      blocked: sumCounts(body, ['block_count', 'blocked_count', 'unsubscribed_leads', 'bounce_count']),
      skipped: sumCounts(body, ['skipped_in_other_campaign_count', 'skipped_count']),
      failed: sumCounts(body, ['lead_import_stopped_count']),
    }),
    isFull: isExhausted,
  },
};
