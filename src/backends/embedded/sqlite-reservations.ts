import type { DatabaseSync } from 'node:sqlite';
import type { Reservation } from '#accounts/reservation.ts';
import type { Reservations } from '#accounts/reservations.ts';
import { insertInto, SqliteStore, selectAll } from './sqlite-store.ts';

/** Reservations in SQLite, in the same file as the orders and pushes. */
export class SqliteReservations extends SqliteStore implements Reservations {
  reserve(reservation: Reservation, oldest: Date): Promise<Reservation> {
    return this.transact(() => {
      this.database.prepare('DELETE FROM reservations WHERE created_at < ?').run(oldest.toISOString());
      const kept = findReservation(this.database, reservation.hash);
      if (kept !== null) return kept;
      const { subjectId: orderId, ...others } = reservation;
      insertInto(this.database, 'reservations', { ...others, orderId });
      return reservation;
    });
  }

  async release({ hash, subjectId }: Reservation): Promise<void> {
    const unlessSaved = 'NOT EXISTS (SELECT 1 FROM orders WHERE id = ?2)';
    await this.run(`DELETE FROM reservations WHERE hash = ?1 AND order_id = ?2 AND ${unlessSaved}`, hash, subjectId);
  }
}

/** The reservation kept under a hash; null if there is none. */
export function findReservation(database: DatabaseSync, hash: string): Reservation | null {
  const select = 'SELECT hash, fingerprint, order_id AS subject_id, created_at FROM reservations WHERE hash = ?';
  return selectAll<Reservation>(database, select, hash)[0] ?? null;
}
