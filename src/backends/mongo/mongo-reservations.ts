import type { Collection } from 'mongodb';
import type { Reservation } from '#domain/plans/reservation.ts';
import type { Reservations } from '#ports/reservations.ts';
import { isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';

export interface ReservationDocument {
  _id: string;
  fingerprint: string;
  /** The id of the order or push; the name comes from the first kind of reservation. */
  order_id: string;
  created_at: string;
  /** Whether the order is being saved, or was saved. */
  is_used: boolean;
}

/** Reservations in MongoDB. */
export class MongoReservations implements Reservations {
  readonly #reservations: Collection<ReservationDocument>;

  constructor(reservations: Collection<ReservationDocument>) {
    this.#reservations = reservations;
  }

  async reserve({ hash, ...reservation }: Reservation, oldest: Date): Promise<Reservation> {
    const reservations = this.#reservations;
    const { fingerprint, subjectId, createdAt } = reservation;
    return runOnMongo(async () => {
      await reservations.deleteMany({ created_at: { $lt: oldest.toISOString() } });
      const insertion = { fingerprint, order_id: subjectId, created_at: createdAt, is_used: false };
      const keep = () =>
        reservations.findOneAndUpdate(
          { _id: hash },
          { $setOnInsert: insertion },
          { upsert: true, returnDocument: 'after' },
        );
      // If several insert at once, one is told that it came second; by then the first one's document exists.
      const kept = await keep().catch((error: unknown) => (isDuplicateKey(error) ? keep() : Promise.reject(error)));
      if (kept === null) throw storeUnavailable(new Error('a reservation vanished while it was created'));
      return { hash, fingerprint: kept.fingerprint, subjectId: kept.order_id, createdAt: kept.created_at };
    });
  }

  async release({ hash, subjectId }: Reservation): Promise<void> {
    await runOnMongo(() => this.#reservations.deleteOne({ _id: hash, order_id: subjectId, is_used: false }));
  }
}
