import { Problem } from '#src/problem.ts';

export type Tier = string;

export interface Plan {
  tier: Tier;
  expiresAt: string;
}

export function isActive(plan: Plan, now: Date): boolean {
  return now.getTime() < Date.parse(plan.expiresAt);
}

/** `export_outlets`: outlets, in formats such as csv; `export_all`: every kind in every format; `push`: leads to campaigns. */
export type Right = 'export_outlets' | 'export_all' | 'push';

export interface PlanDefinition {
  /** Lower-case letters; its settings are named after it, such as PRO_PRICE. */
  tier: Tier;
  title: string;
  price: number;
  days: number;
  requestsPerMinute: number;
  /** `export_all` includes `export_outlets`, which is then not listed. */
  rights: readonly Right[];
}

/** A plan as currently sold, in a currency of ISO 4217. */
export interface Offer extends PlanDefinition {
  currency: string;
}

/** All plans, the smallest first. Settings, limits, checkout, GET /plans and the API reference are derived from this list. */
export const plans: readonly PlanDefinition[] = [
  { tier: 'pro', title: 'Pro', price: 4900, days: 30, requestsPerMinute: 600, rights: ['export_outlets'] },
  { tier: 'premium', title: 'Premium', price: 9900, days: 30, requestsPerMinute: 1200, rights: ['export_all', 'push'] },
];

const abilities: Record<Right, string> = {
  export_outlets: 'exports outlets as csv',
  export_all: 'exports everything',
  push: 'pushes leads',
};

export function tiersOf(offered: readonly PlanDefinition[]): Tier[] {
  return offered.map(({ tier }) => tier);
}

/** The plans that include a right, the smallest first. */
export function plansWith<Definition extends PlanDefinition>(
  offered: readonly Definition[],
  right: Right,
): readonly Definition[] {
  return offered.filter((plan) => gives(plan, right));
}

/** Throws Problem `plan_expired` for an expired plan. @param aim what a new plan is for, such as `to save searches` */
export function requireActive(
  plan: Plan,
  now: Date,
  aim: string,
  extras?: ConstructorParameters<typeof Problem>[2],
): void {
  if (isActive(plan, now)) return;
  throw new Problem('plan_expired', `Your plan ended at ${plan.expiresAt}. Buy a new one ${aim}.`, extras);
}

/**
 * Throws Problem `plan_expired` for an expired plan, or `plan_required` for a plan without the right. Both name the
 * smallest plan that has the right. A tier that is no longer among the plans has no rights.
 */
export function requireRight(offered: readonly PlanDefinition[], plan: Plan, right: Right, now: Date): void {
  const [required] = plansWith(offered, right);
  const extras = required && { required_plan: required.tier };
  requireActive(plan, now, 'to continue', extras);
  const ownPlan = offered.find(({ tier }) => tier === plan.tier);
  if (ownPlan !== undefined && gives(ownPlan, right)) return;
  const does = ownPlan?.rights.map((ownRight) => abilities[ownRight]).join(', and ') || 'shows whole addresses';
  const within = ownPlan !== undefined && right === 'export_all' && gives(ownPlan, 'export_outlets');
  const hint = within ? ': use kind=outlet or none, and format=csv or none' : '';
  throw new Problem(
    'plan_required',
    `This needs a ${required?.title ?? 'larger'} plan. A ${ownPlan?.title ?? plan.tier} plan ${does}${hint}.`,
    extras,
  );
}

/** Whether a plan has a right, as requireRight would say of an active one. */
export function allows(offered: readonly PlanDefinition[], { tier }: Pick<Plan, 'tier'>, right: Right): boolean {
  return offered.some((plan) => plan.tier === tier && gives(plan, right));
}

function gives({ rights }: PlanDefinition, right: Right): boolean {
  return rights.includes(right) || (right === 'export_outlets' && rights.includes('export_all'));
}
