import type { Reservation } from './reservation.ts';

/**
 * The reservations for Idempotency-Keys of orders and pushes. Every method fails with Problem `store_unavailable` if
 * the store cannot be reached.
 */
export interface Reservations {
  /**
   * The first of all requests with one hash gets its reservation stored, and every one gets that. One older than
   * `oldest` is replaced.
   */
  reserve(reservation: Reservation, oldest: Date): Promise<Reservation>;
  /** Drops a reservation for what was not created. One that another order or push holds by now stays. */
  release(reservation: Reservation): Promise<void>;
}
