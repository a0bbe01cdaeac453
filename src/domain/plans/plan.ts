/** The name of a plan, such as `pro`; plans.ts has those there are. */
export type Tier = string;

/** What a key gives: a tier, until a time. */
export interface Plan {
  tier: Tier;
  /** ISO 8601, UTC. */
  expiresAt: string;
}

export function isActive(plan: Plan, now: Date): boolean {
  return now.getTime() < Date.parse(plan.expiresAt);
}
