import type { z } from 'zod';
import type { Offers } from '#domain/plans/offer.ts';
import { type Tier, tiers } from '#domain/plans/plan.ts';
import type { RateLimits } from '../allowances.ts';
import type { plansAnswer } from './answers.ts';

const unlocked: Record<Tier, readonly string[]> = {
  pro: ['full email addresses in search', 'outlets as CSV'],
  premium: [
    'full email addresses in search',
    'outlets, podcasts and newsletters as CSV and for Instantly, Smartlead and lemlist',
    'pushing leads to Instantly and Smartlead campaigns',
  ],
};

/** The answer of GET /plans (contract A7). */
export function presentPlans(offers: Offers, limits: RateLimits): z.output<typeof plansAnswer> {
  const plans = tiers.map((tier) => {
    const { price, currency, days } = offers[tier];
    return { tier, price, currency, days, includes: [...unlocked[tier], `${limits[tier]} requests a minute`] };
  });
  return { plans };
}
