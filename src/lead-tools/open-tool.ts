import type { LeadTool } from '#ports/lead-tool.ts';
import { type ClientOptions, ToolClient } from './ask-tool.ts';
import { allFailed, fitCounts, readDetails } from './read-counts.ts';
import type { PushDefinition, ToolDefinition } from './tool-definition.ts';

/** A tool that leads can be pushed to, as its definition says. */
export function openTool(
  { name, title }: ToolDefinition,
  push: PushDefinition,
  options: Omit<ClientOptions, 'title' | 'limits'>,
): LeadTool {
  const client = new ToolClient({ ...options, title, limits: push.limits });
  return {
    name,
    title,
    campaignId: push.campaignId,
    batchSize: push.batchSize,
    async add(leads, target) {
      const answer = await client.post(push.request(leads, target), target.apiKey);
      const failed = { counts: allFailed(leads.length), details: {} };
      if (answer.kind === 'unknown') return { ...failed, refusal: answer.reason };
      const details = readDetails(answer.body, push.counterNames);
      const { added, ...others } = push.count(answer.body);
      if (added === null) {
        return { ...failed, details, refusal: `${title}'s answer does not say how many leads it added.` };
      }
      const counts = fitCounts(leads.length, { added, ...others });
      if (!push.isFull(answer.body, counts)) return { counts, details };
      return {
        counts: { ...counts, skipped: 0, failed: counts.failed + counts.skipped },
        details,
        refusal: `The ${title} plan has no room for more leads.`,
      };
    },
  };
}
