import type { DatabaseSync } from 'node:sqlite';
import type { Reservation } from '#domain/plans/reservation.ts';
import type { Reservations } from '#ports/reservations.ts';
import { transact } from './database.ts';
import { runOnStore } from './sqlite-errors.ts';

/** Reservations in SQLite, in the same file as the orders and pushes. */
export class SqliteReservations implements Reservations {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async reserve(reservation: Reservation, oldest: Date): Promise<Reservation> {
    return runOnStore(() =>
      transact(this.#database, () => {
        this.#database.prepare('DELETE FROM reservations WHERE created_at < ?').run(oldest.toISOString());
        const kept = findReservation(this.#database, reservation.hash);
        if (kept !== null) return kept;
        this.#database
          .prepare('INSERT INTO reservations (hash, fingerprint, order_id, created_at) VALUES (?, ?, ?, ?)')
          .run(reservation.hash, reservation.fingerprint, reservation.subjectId, reservation.createdAt);
        return reservation;
      }),
    );
  }

  async release({ hash, subjectId }: Reservation): Promise<void> {
    await runOnStore(() =>
      this.#database
        .prepare(`
          DELETE FROM reservations WHERE hash = ?1 AND order_id = ?2
          AND NOT EXISTS (SELECT 1 FROM orders WHERE id = ?2)`)
        .run(hash, subjectId),
    );
  }
}

/** The reservation kept under a hash; null if there is none. */
export function findReservation(database: DatabaseSync, hash: string): Reservation | null {
  const row = database.prepare('SELECT * FROM reservations WHERE hash = ?').get(hash);
  if (row === undefined) return null;
  return {
    hash,
    fingerprint: String(row.fingerprint),
    subjectId: String(row.order_id),
    createdAt: String(row.created_at),
  };
}
