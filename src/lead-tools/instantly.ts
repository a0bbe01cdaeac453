import type { OutboundLead } from '#domain/outbound/outbound-lead.ts';
import type { BatchAnswer, LeadTool, PushTarget } from '#ports/lead-tool.ts';
import { type Manners, ToolClient } from './ask-tool.ts';
import { customFields, dropEmpty } from './lead-fields.ts';
import { allFailed, firstCount, fitCounts, readCount, readDetails, sumCounts } from './read-counts.ts';

/** Half of what the API takes at once (1 to 1000). */
const batchSize = 500;

/** 100 a second and 6,000 a minute for a whole workspace, of which a push leaves the larger part to others. */
const limits = [
  { limit: 20, interval: 1_100 },
  { limit: 600, interval: 61_000 },
];

/** What a batch came to, by the tool's own names. `remaining_in_plan` says how things stand and would not add up. */
const counterNames = [
  'total_sent',
  'leads_uploaded',
  'created_leads',
  'in_blocklist',
  'duplicated_leads',
  'duplicate_email_count',
  'skipped_count',
  'invalid_email_count',
  'incomplete_count',
];

/** Instantly, API v2: POST /api/v2/leads/add. */
export class Instantly implements LeadTool {
  readonly batchSize = batchSize;
  readonly #client: ToolClient;

  constructor(manners: Omit<Manners, 'limits'>) {
    this.#client = new ToolClient({ ...manners, limits });
  }

  async add(leads: readonly OutboundLead[], { apiKey, campaignId }: PushTarget): Promise<BatchAnswer> {
    const answer = await this.#client.post({
      tool: 'Instantly',
      path: '/api/v2/leads/add',
      apiKey,
      headers: { Authorization: `Bearer ${apiKey}` },
      body: {
        campaign_id: campaignId,
        // The campaign itself never gets a lead twice; this one would mean any campaign of the workspace.
        skip_if_in_campaign: false,
        skip_if_in_workspace: false,
        verify_leads_on_import: false,
        leads: leads.map(toInstantlyLead),
      },
    });
    if (answer.kind === 'unknown') return { counts: allFailed(leads.length), details: {}, refusal: answer.reason };
    return readAnswer(answer.body, leads.length);
  }
}

/** No other keys may stand beside these: what Instantly has no field for is a custom variable. */
function toInstantlyLead(lead: OutboundLead): object {
  const known = {
    email: lead.email,
    first_name: lead.firstName,
    last_name: lead.lastName,
    company_name: lead.companyName,
    job_title: lead.jobTitle,
    website: lead.website,
    phone: lead.phone,
  };
  return { ...dropEmpty(known), custom_variables: dropEmpty(customFields(lead)) };
}

function readAnswer(body: Record<string, unknown>, size: number): BatchAnswer {
  const details = readDetails(body, counterNames);
  const added = firstCount(body, ['leads_uploaded', 'created_leads']);
  if (added === null) {
    return {
      counts: allFailed(size),
      details,
      refusal: "Instantly's answer does not say how many leads it added.",
    };
  }
  const counts = fitCounts(size, {
    added,
    duplicates: sumCounts(body, ['duplicated_leads', 'duplicate_email_count']),
    invalid: sumCounts(body, ['invalid_email_count', 'incomplete_count']),
    blocked: sumCounts(body, ['in_blocklist']),
    skipped: sumCounts(body, ['skipped_count']),
    failed: 0,
  });
  if (readCount(body, 'remaining_in_plan') !== 0 || counts.skipped === 0) return { counts, details };
  return {
    counts: { ...counts, skipped: 0, failed: counts.skipped },
    details,
    refusal: 'The Instantly plan has no room for more leads.',
  };
}
