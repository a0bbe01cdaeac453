import { z } from 'zod';
import { type Offer, type PlanDefinition, type Right, tiersOf } from '#accounts/plans.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { andWords } from '../parse/faults.ts';

type PlansDeps = Pick<AppDeps, 'plans' | 'formats' | 'leadTools' | 'rateLimits'>;

/** GET /plans: the plans for sale and their prices (contract A7). */
export function plans(deps: PlansDeps): Endpoint {
  return {
    operationId: 'listPlans',
    tag: 'Plans',
    summary: 'List plans',
    description:
      'Returns every plan for sale with its price, the days it runs and what it includes. POST /checkout buys one.',
    access: 'key or none',
    answer: { description: 'All plans with their prices.', schema: plansAnswer(deps.plans), example },
    errors: [],
    handle: (_req, res) => void res.json(presentPlans(deps)),
  };
}

/** The plans as answers contain them. */
export function presentPlans(deps: PlansDeps) {
  return { plans: deps.plans.map((plan) => presentPlan(plan, deps)) };
}

const plansAnswer = (plans: readonly PlanDefinition[]) =>
  z
    .strictObject({
      plans: z.array(
        z
          .strictObject({
            tier: z.enum(tiersOf(plans)),
            price: z.int().min(1).describe('In minor units of the currency, such as cents.'),
            currency: z.string().length(3).describe('ISO 4217.'),
            days: z.int().min(1).describe('Days the plan runs from its payment.'),
            includes: z.array(z.string()),
          })
          .meta({ id: 'Plan' }),
      ),
    })
    .meta({ id: 'Plans' });

type PlanAnswer = z.output<ReturnType<typeof plansAnswer>>['plans'][number];

function presentPlan({ tier, price, currency, days, rights }: Offer, deps: PlansDeps): PlanAnswer {
  const includes = [
    'full email addresses in search',
    ...rights.map((right) => describeRight(right, deps)),
    `${deps.rateLimits[tier]} requests a minute`,
  ];
  return { tier, price, currency, days, includes };
}

function describeRight(right: Right, { formats, leadTools }: PlansDeps): string {
  const listTitles = (things: readonly { title: string }[]) => andWords.format(things.map(({ title }) => title));
  const files = formats.filter(({ needsAddress }) => !needsAddress);
  const forTools = formats.filter(({ needsAddress }) => needsAddress);
  switch (right) {
    case 'export_outlets':
      return `outlets as ${listTitles(formats.filter((format) => format.right === right))}`;
    case 'export_all':
      return `outlets, podcasts and newsletters as ${listTitles(files)} and for ${listTitles(forTools)}`;
    case 'push':
      return `pushing leads to ${listTitles(leadTools)} campaigns`;
  }
}

const example = {
  plans: [
    {
      tier: 'pro',
      price: 4900,
      currency: 'USD',
      days: 30,
      includes: ['full email addresses in search', 'outlets as CSV', '600 requests a minute'],
    },
  ],
};
