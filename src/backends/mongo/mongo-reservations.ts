import type { Reservation } from '#accounts/reservation.ts';
import type { Reservations } from '#accounts/reservations.ts';
import { CollectionStore, findOrInsert } from './collection-store.ts';

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
export class MongoReservations extends CollectionStore<ReservationDocument> implements Reservations {
  reserve({ hash, fingerprint, subjectId, createdAt }: Reservation, oldest: Date): Promise<Reservation> {
    return this.run(async (reservations) => {
      await reservations.deleteMany({ created_at: { $lt: oldest.toISOString() } });
      const fields = { fingerprint, order_id: subjectId, created_at: createdAt, is_used: false };
      const kept = await findOrInsert(reservations, { _id: hash }, fields);
      return { hash, fingerprint: kept.fingerprint, subjectId: kept.order_id, createdAt: kept.created_at };
    });
  }

  async release({ hash, subjectId }: Reservation): Promise<void> {
    await this.run((reservations) => reservations.deleteOne({ _id: hash, order_id: subjectId, is_used: false }));
  }
}
