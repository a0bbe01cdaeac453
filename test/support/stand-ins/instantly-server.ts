import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  edgePage,
  isNobody,
  type StandInOptions,
  type StandInServer,
  startStandIn,
  type ToolReply,
  type ToolRequest,
} from './stand-in-server.ts';

export interface InstantlyStandIn extends StandInServer {
  /** Leads by address, of each campaign. */
  campaigns: Map<string, Map<string, unknown>>;
}

export interface InstantlyOptions extends StandInOptions {
  apiKey: string;
  campaigns: readonly string[];
  /** Addresses that no campaign accepts. */
  blocked?: ReadonlySet<string>;
  /** How many leads the plan still has room for. */
  room?: number;
}

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const lead = z.strictObject({
  email: z.string().min(1),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  company_name: z.string().optional(),
  job_title: z.string().optional(),
  website: z.string().optional(),
  phone: z.string().optional(),
  personalization: z.string().optional(),
  custom_variables: z.record(z.string(), scalar).optional(),
});
const body = z
  .strictObject({
    campaign_id: z.uuid().optional(),
    list_id: z.uuid().optional(),
    skip_if_in_workspace: z.boolean().optional(),
    skip_if_in_campaign: z.boolean().optional(),
    verify_leads_on_import: z.boolean().optional(),
    blocklist_id: z.uuid().optional(),
    leads: z.array(lead).min(1).max(1_000),
  })
  .refine(({ campaign_id, list_id }) => (campaign_id === undefined) !== (list_id === undefined));

/** Instantly's POST /api/v2/leads/add, by its contract on record. */
export async function startInstantly(options: InstantlyOptions): Promise<InstantlyStandIn> {
  const campaigns = new Map(options.campaigns.map((id) => [id, new Map<string, unknown>()]));
  let room = options.room ?? Number.POSITIVE_INFINITY;

  const reply = ({ method, url, headers, body: given }: ToolRequest): ToolReply => {
    if (isNobody(headers['user-agent'])) return edgePage;
    if (method !== 'POST' || url.pathname !== '/api/v2/leads/add') return fault(404, 'Not Found', 'Route not found');
    if (headers.authorization !== `Bearer ${options.apiKey}`) return fault(401, 'Unauthorized', 'Invalid API key');
    if (url.search !== '') return fault(400, 'Bad Request', 'querystring must NOT have additional properties');
    const read = body.safeParse(given);
    if (!read.success) return fault(400, 'Bad Request', `body: ${read.error.issues[0]?.message}`);
    const campaign = campaigns.get(read.data.campaign_id ?? '');
    if (campaign === undefined) return fault(404, 'Not Found', 'Campaign not found');

    const said = {
      duplicated_leads: 0,
      in_blocklist: 0,
      invalid_email_count: 0,
      skipped_count: 0,
      duplicate_email_count: 0,
    };
    const created: { id: string; email: string; index: number }[] = [];
    const inRequest = new Set<string>();
    for (const [index, { email, ...others }] of read.data.leads.entries()) {
      const address = email.toLowerCase();
      if (inRequest.has(address)) said.duplicate_email_count += 1;
      else if (!/^[^\s@]+@[^\s@]+\.[a-z]{2,}$/i.test(email)) said.invalid_email_count += 1;
      else if (options.blocked?.has(address)) said.in_blocklist += 1;
      else if (campaign.has(address)) said.duplicated_leads += 1;
      else if (room > 0) {
        campaign.set(address, { email, ...others });
        created.push({ id: randomUUID(), email, index });
        room -= 1;
      }
      inRequest.add(address);
    }
    return {
      status: 200,
      body: {
        status: 'success',
        total_sent: read.data.leads.length,
        leads_uploaded: created.length,
        ...said,
        incomplete_count: 0,
        blocklist_used: null,
        remaining_in_plan: Number.isFinite(room) ? room : 100_000,
        created_leads: created,
      },
    };
  };
  const server = await startStandIn(reply, {
    limits: [
      { most: 100, ms: 1_000 },
      { most: 6_000, ms: 60_000 },
    ],
    ...options,
  });
  return Object.assign(server, { campaigns });
}

function fault(status: number, error: string, message: string): ToolReply {
  return { status, body: { statusCode: status, error, message } };
}
