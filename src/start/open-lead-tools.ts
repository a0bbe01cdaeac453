import type { LeadTool } from '#outbound/outbound-lead.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { openTool } from '#src/lead-tools/open-tool.ts';
import type { Config } from '#src/settings/config.ts';

/** Retries: six times, after 1, 2, 4, … seconds, or as long as the tool asks for. */
const defaultRetries = { timeoutMs: 60_000, retries: 6, firstPauseMs: 1_000 };

/** The outbound tools that take pushes, at their configured URLs. */
export function openLeadTools(
  { leadToolBases }: Pick<Config, 'leadToolBases'>,
  options = defaultRetries,
  tools = leadTools,
): LeadTool[] {
  return tools.flatMap((tool) => {
    const base = leadToolBases[tool.name];
    return tool.push === null || base === undefined ? [] : openTool(tool, tool.push, { ...options, base });
  });
}
