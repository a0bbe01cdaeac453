import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  createCampaigns,
  edgePage,
  isNobody,
  startStandIn,
  type ToolOptions,
  type ToolReply,
  type ToolRequest,
  type ToolStandIn,
} from './stand-in-server.ts';

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

/** Instantly's POST /api/v2/leads/add, as its documentation describes it. */
export async function startInstantly(options: ToolOptions): Promise<ToolStandIn> {
  const { campaigns, take, left } = createCampaigns(options);

  const reply = ({ method, url, headers, body: given }: ToolRequest): ToolReply => {
    if (isNobody(headers['user-agent'])) return edgePage;
    if (method !== 'POST' || url.pathname !== '/api/v2/leads/add') return fault(404, 'Not Found', 'Route not found');
    if (headers.authorization !== `Bearer ${options.apiKey}`) return fault(401, 'Unauthorized', 'Invalid API key');
    if (url.search !== '') return fault(400, 'Bad Request', 'querystring must NOT have additional properties');
    const read = body.safeParse(given);
    if (!read.success) return fault(400, 'Bad Request', `body: ${read.error.issues[0]?.message}`);
    const campaign = campaigns.get(read.data.campaign_id ?? '');
    if (campaign === undefined) return fault(404, 'Not Found', 'Campaign not found');

    const { size, added, repeated, invalid, blocked, duplicates } = take(campaign, read.data.leads);
    return {
      status: 200,
      body: {
        status: 'success',
        total_sent: size,
        leads_uploaded: added.length,
        duplicated_leads: duplicates,
        in_blocklist: blocked,
        invalid_email_count: invalid.length,
        skipped_count: 0,
        duplicate_email_count: repeated,
        incomplete_count: 0,
        blocklist_used: null,
        remaining_in_plan: Number.isFinite(left()) ? left() : 100_000,
        created_leads: added.map((lead) => ({ id: randomUUID(), ...lead })),
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
