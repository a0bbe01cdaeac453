import type { Plan } from './plan.ts';

/** What is stored of an API key: never the key itself. Times are ISO 8601, UTC. */
export interface StoredKey {
  /** HMAC-SHA-256 of the key under KEY_PEPPER, hex. */
  hash: string;
  /** The start of the key, to tell keys apart by eye. */
  prefix: string;
  plan: Plan;
  /** The holder's address, if an operator or buyer gave one. */
  email: string | null;
  orderId: string | null;
  createdAt: string;
  revokedAt: string | null;
}
