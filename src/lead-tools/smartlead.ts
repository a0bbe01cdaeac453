import { customColumns, type LeadColumn } from '#outbound/outbound-lead.ts';
import { fieldsOf, type ToolDefinition } from './tool-definition.ts';

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
    counters: {
      added: [['total_leads', 'added_count', 'inserted_count']],
      duplicates: ['duplicate_count', 'already_added_to_campaign'],
      invalid: [['invalid_email_count', 'invalid_emails']],
      blocked: ['block_count', 'blocked_count', 'unsubscribed_leads', 'bounce_count'],
      skipped: ['skipped_in_other_campaign_count', 'skipped_count'],
      failed: ['lead_import_stopped_count'],
      // It counts what was sent.
      others: ['upload_count'],
    },
    isFull: (body) => body.is_lead_limit_exhausted === true,
  },
};
