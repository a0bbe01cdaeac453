import { createHmac } from 'node:crypto';
import type { KeyedKind, OpenKeyed } from '#records/keyed-store.ts';
import { Problem } from '#src/problem.ts';
import { dayMs, daysAfter } from '#text/days.ts';

/** What an Idempotency-Key stands for while it is valid. */
export interface Reservation {
  /** HMAC-SHA-256 of the key, hex. The key itself is a secret: with it, anyone could get the order's claim token. */
  hash: string;
  /** A digest of the request. The same key with another request is a conflict. */
  fingerprint: string;
  subjectId: string;
  createdAt: string;
}

export const reservationKind: KeyedKind<Reservation> = {
  name: 'reservations',
  orderOf: ({ createdAt }) => createdAt,
  livesMs: dayMs,
};

export interface Asked {
  /** Such as `checkout <Idempotency-Key>`. `request` is a text that is equal for equal requests. */
  key: string;
  request: string;
  subjectId: string;
}

export class Reservations {
  readonly #reservations;

  constructor(open: OpenKeyed) {
    this.#reservations = open(reservationKind);
  }

  /** Reserves the key for 24 hours, or returns its reservation. Throws `idempotency_conflict` if that is for another request. */
  async reserve({ key, request, subjectId }: Asked, pepper: string, now: Date): Promise<Reservation> {
    const digest = (text: string) => createHmac('sha256', pepper).update(text).digest('hex');
    const reservation: Reservation = {
      hash: digest(`idempotency key: ${key}`),
      fingerprint: digest(`idempotent request: ${request}`),
      subjectId,
      createdAt: now.toISOString(),
    };
    const oldest = daysAfter(now, -1);
    const stored = await this.#reservations.change(reservation.hash, (earlier) =>
      earlier !== null && earlier.createdAt >= oldest ? earlier : reservation,
    );
    if (stored?.fingerprint === reservation.fingerprint) return stored;
    throw new Problem(
      'idempotency_conflict',
      'This Idempotency-Key was used with another body within the last 24 hours. Send the same body, or use a new key.',
    );
  }

  /** Drops the reservation of something that was not made, unless the key is reserved for something else by now. */
  async release({ hash, subjectId }: Reservation): Promise<void> {
    await this.#reservations.change(hash, (stored) => (stored?.subjectId === subjectId ? null : stored));
  }
}
