import type { Tier } from './plan.ts';

/** A plan as it is sold now. */
export interface Offer {
  tier: Tier;
  /** In minor units of the currency. */
  price: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** How long the plan runs from its payment. */
  days: number;
}

export type Offers = Readonly<Record<Tier, Offer>>;
