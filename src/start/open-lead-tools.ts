import type { LeadToolName } from '#domain/outbound/push.ts';
import type { LeadTool } from '#ports/lead-tool.ts';
import { Instantly } from '#src/lead-tools/instantly.ts';
import { Smartlead } from '#src/lead-tools/smartlead.ts';
import type { Config } from '#src/settings/config.ts';

/** Retries: six times, after 1, 2, 4, … seconds, or as long as the tool asks for. */
const usualManners = { timeoutMs: 60_000, retries: 6, firstPauseMs: 1_000 };

/** The outbound tools at their configured URLs. */
export function openLeadTools(
  { leadToolBases }: Pick<Config, 'leadToolBases'>,
  manners = usualManners,
): Record<LeadToolName, LeadTool> {
  return {
    instantly: new Instantly({ ...manners, base: leadToolBases.instantly }),
    smartlead: new Smartlead({ ...manners, base: leadToolBases.smartlead }),
  };
}
