import type { OutboundLead } from '#domain/outbound/outbound-lead.ts';
import type { BatchAnswer, LeadTool, PushTarget } from '#ports/lead-tool.ts';
import { type Manners, ToolClient } from './ask-tool.ts';
import { customFields, dropEmpty } from './lead-fields.ts';
import { allFailed, firstCount, fitCounts, readDetails, sumCounts } from './read-counts.ts';

/** The API takes 400 at once; older texts say 350 and 100, and 100 is right under each. */
const batchSize = 100;

/** 10 in 2 seconds and 60 a minute, the strictest of what its texts say, with some room for the way there. */
const limits = [
  { limit: 10, interval: 2_200 },
  { limit: 60, interval: 61_000 },
];

/** How many leads are new in the campaign, by the shapes of answer on record; `upload_count` is what was submitted. */
const addedNames = ['total_leads', 'added_count', 'inserted_count'];

/** What a batch came to, by the names of all shapes of answer on record. */
const counterNames = [
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
];

/** Smartlead, API v1: POST /campaigns/{id}/leads. */
export class Smartlead implements LeadTool {
  readonly batchSize = batchSize;
  readonly #client: ToolClient;

  constructor(manners: Omit<Manners, 'limits'>) {
    this.#client = new ToolClient({ ...manners, limits });
  }

  async add(leads: readonly OutboundLead[], { apiKey, campaignId }: PushTarget): Promise<BatchAnswer> {
    const answer = await this.#client.post({
      tool: 'Smartlead',
      path: `/campaigns/${encodeURIComponent(campaignId)}/leads?api_key=${encodeURIComponent(apiKey)}`,
      apiKey,
      body: {
        lead_list: leads.map(toSmartleadLead),
        // Lists of those who must not be written to stay in force. The last one, set to true, was seen to skip leads of
        // other campaigns, against its guide: always said.
        settings: {
          ignore_global_block_list: false,
          ignore_unsubscribe_list: false,
          ignore_community_bounce_list: false,
          ignore_duplicate_leads_in_other_campaign: false,
        },
      },
    });
    if (answer.kind === 'unknown') return { counts: allFailed(leads.length), details: {}, refusal: answer.reason };
    return readAnswer(answer.body, leads.length);
  }
}

function toSmartleadLead(lead: OutboundLead): object {
  const known = {
    email: lead.email,
    first_name: lead.firstName,
    last_name: lead.lastName,
    company_name: lead.companyName,
    phone_number: lead.phone,
    website: lead.website,
    location: lead.location,
    linkedin_profile: lead.linkedinUrl,
    company_url: lead.website,
  };
  return { ...dropEmpty(known), custom_fields: dropEmpty({ job_title: lead.jobTitle, ...customFields(lead) }) };
}

function readAnswer(body: Record<string, unknown>, size: number): BatchAnswer {
  const details = readDetails(body, counterNames);
  const isFull = body.is_lead_limit_exhausted === true;
  const added = firstCount(body, addedNames) ?? (isFull ? 0 : null);
  if (added === null) {
    const refusal = "Smartlead's answer does not say how many leads it added.";
    return { counts: allFailed(size), details, refusal };
  }
  const counts = fitCounts(size, {
    added,
    duplicates: sumCounts(body, ['duplicate_count', 'already_added_to_campaign']),
    invalid: firstCount(body, ['invalid_email_count', 'invalid_emails']) ?? 0,
    blocked: sumCounts(body, ['block_count', 'blocked_count', 'unsubscribed_leads', 'bounce_count']),
    skipped: sumCounts(body, ['skipped_in_other_campaign_count', 'skipped_count']),
    failed: sumCounts(body, ['lead_import_stopped_count']),
  });
  if (!isFull) return { counts, details };
  return {
    counts: { ...counts, skipped: 0, failed: counts.failed + counts.skipped },
    details,
    refusal: 'The Smartlead plan has no room for more leads.',
  };
}
