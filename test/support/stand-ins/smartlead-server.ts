import { z } from 'zod';
import {
  createCampaigns,
  startStandIn,
  type TakenLeads,
  type ToolOptions,
  type ToolReply,
  type ToolRequest,
  type ToolStandIn,
} from './stand-in-server.ts';

/** The three documented shapes of its answers. */
export type SmartleadShape = 'observed' | 'guide' | 'openapi';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const lead = z.strictObject({
  email: z.string(),
  first_name: z.string().optional(),
  last_name: z.string().optional(),
  phone_number: scalar.optional(),
  company_name: z.string().optional(),
  website: z.string().optional(),
  location: z.string().optional(),
  linkedin_profile: z.string().optional(),
  company_url: z.string().optional(),
  custom_fields: z
    .record(z.string(), scalar)
    .refine((fields) => Object.keys(fields).length <= 20)
    .optional(),
});
const body = z.strictObject({
  lead_list: z.array(lead).min(1).max(100),
  settings: z
    .strictObject({
      ignore_global_block_list: z.literal(false),
      ignore_unsubscribe_list: z.literal(false),
      ignore_community_bounce_list: z.literal(false).optional(),
      ignore_duplicate_leads_in_other_campaign: z.boolean(),
      return_lead_ids: z.boolean().optional(),
    })
    .optional(),
});

/** Smartlead's POST /campaigns/{id}/leads, as its documentation describes it. The URL ends in /api/v1. */
export async function startSmartlead(options: ToolOptions & { shape?: SmartleadShape }): Promise<ToolStandIn> {
  const { campaigns, take } = createCampaigns(options);

  const reply = ({ method, url, headers, body: given }: ToolRequest): ToolReply => {
    if (url.searchParams.get('api_key') !== options.apiKey || headers.authorization !== undefined) {
      return { status: 401, body: { message: 'Invalid API Key' } };
    }
    const id = /^\/api\/v1\/campaigns\/(\d+)\/leads$/.exec(url.pathname)?.[1];
    if (method !== 'POST' || id === undefined) return { status: 404, body: { message: 'Not found' } };
    const campaign = campaigns.get(id);
    if (campaign === undefined) return { status: 404, body: { error: 'Campaign not found - Invalid campaign_id.' } };
    const read = body.safeParse(given);
    if (!read.success) return { status: 400, body: { error: { message: read.error.issues[0]?.message } } };

    return { status: 200, body: shapes[options.shape ?? 'observed'](take(campaign, read.data.lead_list)) };
  };
  const server = await startStandIn(reply, {
    limits: [
      { most: 10, ms: 2_000 },
      { most: 60, ms: 60_000 },
    ],
    ...options,
  });
  return Object.assign(server, { url: `${server.url}/api/v1`, campaigns });
}

const shapes: Record<SmartleadShape, (taken: TakenLeads) => object> = {
  observed: ({ size, added, repeated, duplicates, blocked, invalid, stopped }) => ({
    ok: stopped === 0,
    upload_count: size,
    total_leads: added.length,
    already_added_to_campaign: duplicates + repeated,
    duplicate_count: 0,
    block_count: blocked,
    skipped_in_other_campaign_count: 0,
    invalid_email_count: invalid.length,
    invalid_emails: invalid,
    unsubscribed_leads: [],
    is_lead_limit_exhausted: stopped > 0,
    lead_import_stopped_count: stopped,
    bounce_count: 0,
    ...(stopped > 0 && { error: 'You have reached the lead limit of your plan' }),
  }),
  guide: ({ size, added }) => ({
    success: true,
    message: 'Leads added',
    added_count: added.length,
    skipped_count: size - added.length,
  }),
  openapi: ({ added, repeated, duplicates, blocked }) => ({
    ok: true,
    inserted_count: added.length,
    duplicate_count: duplicates + repeated,
    blocked_count: blocked,
  }),
};
