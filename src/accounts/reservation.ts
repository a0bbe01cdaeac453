import { createHmac } from 'node:crypto';

/** What an Idempotency-Key stands for while it is valid. */
export interface Reservation {
  /** HMAC-SHA-256 of the key, hex: anyone with the key could ask for the order's claim token. */
  hash: string;
  /** A digest of the request: the same key with another one is a conflict. */
  fingerprint: string;
  /** The id of the order or push that the key created, or is creating. */
  subjectId: string;
  /** ISO 8601, UTC. */
  createdAt: string;
}

const honouredMs = 24 * 60 * 60 * 1000;

/** The time before which reservations have expired. */
export function oldestReservation(now: Date): Date {
  return new Date(now.getTime() - honouredMs);
}

/**
 * A reservation of the order or push `subjectId` for what was asked under an Idempotency-Key.
 *
 * @param request what was asked, in a form that is the same whenever the same was asked
 */
export function makeReservation(
  key: string,
  request: string,
  subjectId: string,
  pepper: string,
  now: Date,
): Reservation {
  const digest = (text: string) => createHmac('sha256', pepper).update(text).digest('hex');
  return {
    hash: digest(`idempotency key: ${key}`),
    fingerprint: digest(`idempotent request: ${request}`),
    subjectId,
    createdAt: now.toISOString(),
  };
}
