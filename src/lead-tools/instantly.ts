import { customColumns, type LeadColumn } from '#outbound/outbound-lead.ts';
import { fieldsOf, readCount, type ToolDefinition } from './tool-definition.ts';

/** The fields that Instantly has. It refuses other names, so the rest becomes custom variables. */
const leadColumns: readonly LeadColumn[] = [
  ['email', 'email'],
  ['first_name', 'firstName'],
  ['last_name', 'lastName'],
  ['company_name', 'companyName'],
  ['website', 'website'],
  ['phone', 'phone'],
  ['personalization', null],
  ['job_title', 'jobTitle'],
];

export const instantly: ToolDefinition = {
  name: 'instantly',
  title: 'Instantly',
  columns: [...leadColumns, ['linkedin_url', 'linkedinUrl'], ...customColumns],
  push: {
    base: {
      setting: 'INSTANTLY_API_BASE',
      default: 'https://api.instantly.ai',
      doc: "Base URL of Instantly's API, without /api/v2. Change it only for tests.",
    },
    campaignId: {
      pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
      right: 'a UUID, such as 7f1c2d3e-0000-4000-8000-123456789abc',
    },
    // Half of the API's maximum (1 to 1000).
    batchSize: 500,
    // A workspace may send 100 requests a second and 6,000 a minute. Most of that is left to its other programs.
    limits: [
      { limit: 20, interval: 1_100 },
      { limit: 600, interval: 61_000 },
    ],
    request: (leads, { apiKey, campaignId }) => ({
      path: '/api/v2/leads/add',
      headers: { Authorization: `Bearer ${apiKey}` },
      body: {
        campaign_id: campaignId,
        // Instantly never adds a lead to the same campaign twice. These options would also skip leads of other campaigns.
        skip_if_in_campaign: false,
        skip_if_in_workspace: false,
        verify_leads_on_import: false,
        leads: leads.map((lead) => ({
          ...fieldsOf(lead, leadColumns),
          custom_variables: fieldsOf(lead, customColumns),
        })),
      },
    }),
    // `remaining_in_plan` is a balance, not a count of leads.
    counters: {
      added: [['leads_uploaded', 'created_leads']],
      duplicates: ['duplicated_leads', 'duplicate_email_count'],
      invalid: ['invalid_email_count', 'incomplete_count'],
      blocked: ['in_blocklist'],
      skipped: ['skipped_count'],
      failed: [],
      others: ['total_sent'],
    },
    isFull: (body, { skipped }) => readCount(body, 'remaining_in_plan') === 0 && skipped > 0,
  },
};
