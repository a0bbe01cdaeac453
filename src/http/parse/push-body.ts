import { z } from 'zod';
import { type LeadToolName, leadToolNames } from '#domain/outbound/push.ts';
import type { SearchQuery } from '#domain/search/search-query.ts';
import { Faults } from './faults.ts';
import { collectFields } from './read-json-body.ts';
import { addText, readTexts } from './read-parameters.ts';
import { queryParameters } from './search-parameters.ts';

const filterText = z.union([z.string(), z.array(z.string())], 'A filter must be a string or an array of strings.');

/** What a campaign's id looks like in each tool. */
const campaignIds: Record<LeadToolName, { pattern: RegExp; right: string }> = {
  instantly: {
    pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
    right: 'a UUID, such as 7f1c2d3e-0000-4000-8000-123456789abc',
  },
  smartlead: { pattern: /^[1-9]\d{0,17}$/, right: 'a string of digits, such as "12345"' },
};

const campaignMessage = 'The campaign to add leads to, as a string.';
const keyMessage = 'Your own API key for the tool, ASCII without spaces. It is used for this push and never stored.';

/** The body of POST /export/push. */
export const pushBody = z
  .strictObject(
    {
      tool: z.enum(leadToolNames).describe('The tool to push to.'),
      api_key: z
        .string(keyMessage)
        .trim()
        .regex(/^[\x21-\x7e]{1,512}$/, keyMessage)
        .describe(keyMessage),
      campaign_id: z.string(campaignMessage).trim().describe(campaignMessage),
      filters: z
        .record(z.string(), filterText, 'The filters must be an object, such as {"country":"US"}.')
        .optional()
        .describe('The filters of /export by name. Values are strings or arrays of strings.'),
    },
    'The body must be a JSON object, such as {"tool":"instantly","api_key":"…","campaign_id":"…","filters":{}}.',
  )
  .superRefine(({ tool, campaign_id }, context) => {
    const { pattern, right } = campaignIds[tool];
    if (pattern.test(campaign_id)) return;
    context.addIssue({ code: 'custom', path: ['campaign_id'], message: `For ${tool}, use ${right}.` });
  });

export interface PushFields {
  tool: LeadToolName;
  apiKey: string;
  campaignId: string;
  query: SearchQuery;
}

/** Reads the body. Throws a Problem that names every wrong field and filter at once. */
export function readPushBody(body: unknown): PushFields {
  const faults = new Faults();
  const fields = collectFields(body, pushBody, faults);
  const query = collectFilters(body, faults);
  if (fields === null || query === null) throw faults.toProblem();
  return { tool: fields.tool, apiKey: fields.api_key, campaignId: fields.campaign_id, query };
}

/** Reads the filters from the body itself: the schema leaves out a filter named __proto__ without an error. */
function collectFilters(body: unknown, faults: Faults): SearchQuery | null {
  const { filters } = Object(body);
  const isObject = typeof filters === 'object' && filters !== null && !Array.isArray(filters);
  const texts = new Map<string, string[]>();
  for (const [name, value] of isObject ? Object.entries(filters) : []) {
    for (const one of [value].flat()) {
      if (typeof one === 'string') addText(texts, name, one);
      // Of every other name, the schema says that a value is not a text.
      else if (name === '__proto__') addText(texts, name, 'not a text');
    }
  }
  return readTexts(texts, queryParameters, faults, { in: 'body', prefix: 'filters.' })?.values ?? null;
}
