import type { DatabaseSync, SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { applyPayments, type Order, type OrderChange, unpaidStatuses } from '#domain/plans/order.ts';
import type { CheckoutState, EventOutcome, PaymentEvent } from '#domain/plans/payment-event.ts';
import type { Reservation } from '#domain/plans/reservation.ts';
import type { ChangedOrder, OrderStore, Purged } from '#ports/order-store.ts';
import { transact } from './database.ts';
import { endKey, insertKey } from './key-rows.ts';
import { runOnStore } from './sqlite-errors.ts';
import { findReservation } from './sqlite-reservations.ts';

/** The column of each property of an order. */
const columns: Record<keyof Order, string> = {
  id: 'id',
  status: 'status',
  tier: 'tier',
  price: 'price',
  currency: 'currency',
  days: 'days',
  email: 'email',
  checkoutUrl: 'checkout_url',
  checkoutReference: 'checkout_reference',
  paymentReference: 'payment_reference',
  createdAt: 'created_at',
  paidAt: 'paid_at',
  planExpiresAt: 'plan_expires_at',
  refundedAt: 'refunded_at',
  suspendedAt: 'suspended_at',
  keyClaimedAt: 'key_claimed_at',
  keyHash: 'key_hash',
  askedAt: 'asked_at',
};
const properties = Object.keys(columns) as (keyof Order)[];
const writeOrder = `
  INSERT INTO orders (${properties.map((property) => columns[property]).join(', ')})
  VALUES (${properties.map((property) => `:${property}`).join(', ')})
  ON CONFLICT (id) DO UPDATE SET ${properties.map((property) => `${columns[property]} = :${property}`).join(', ')}`;

/** Orders in SQLite, in the same file as the keys. Every method is one transaction that holds the write lock. */
export class SqliteOrderStore implements OrderStore {
  readonly #database: DatabaseSync;
  readonly #selectOrder;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#selectOrder = database.prepare('SELECT * FROM orders WHERE id = ?');
  }

  async save(order: Order, reservation: Reservation | null): Promise<Order | null> {
    return this.#transact(() => {
      const saved = this.#find(order.id);
      if (saved !== null) return saved;
      if (reservation !== null && findReservation(this.#database, reservation.hash)?.subjectId !== order.id)
        return null;
      this.#write({ order });
      this.#applyWaiting(order, new Date(order.createdAt));
      return order;
    });
  }

  async find(id: string): Promise<Order | null> {
    return runOnStore(() => this.#find(id));
  }

  async change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null> {
    return this.#transact(() => {
      const order = this.#find(id);
      if (order === null) return null;
      const change = decide(order);
      if (change === null) return { order, isChanged: false };
      this.#write(change);
      return { order: change.order, isChanged: true };
    });
  }

  async receive(event: PaymentEvent, now: Date): Promise<EventOutcome> {
    return this.#transact(() => {
      const { checkout, ...own } = event;
      this.#database
        .prepare(`
          INSERT OR IGNORE INTO payment_events
            (id, effect, order_id, payment, at, received_at, checkout, currency, subtotal, unpaid)
          VALUES (:id, :effect, :orderId, :payment, :at, :receivedAt, :reference, :currency, :subtotal, :unpaid)`)
        .run({ ...(checkout ?? noCheckout), ...own, receivedAt: now.toISOString() });
      if (!this.#isHeld(event.id)) return 'repeated';
      const order = this.#findMeant(event);
      return order !== null && this.#applyWaiting(order, now).includes(event.id) ? 'handled' : 'held';
    });
  }

  async purge(before: Date): Promise<Purged> {
    const statuses = unpaidStatuses.map((status) => `'${status}'`).join(', ');
    const abandoned = `status IN (${statuses}) AND paid_at IS NULL AND created_at < ?`;
    return this.#transact(() => {
      const remove = (from: string) =>
        Number(this.#database.prepare(`DELETE FROM ${from}`).run(before.toISOString()).changes);
      const events = remove('payment_events WHERE handled_at IS NULL AND received_at < ?');
      remove(`payment_events WHERE handled_at IS NOT NULL AND order_id IN (SELECT id FROM orders WHERE ${abandoned})`);
      return { orders: remove(`orders WHERE ${abandoned}`), events };
    });
  }

  #transact<Result>(work: () => Result): Promise<Result> {
    return runOnStore(() => transact(this.#database, work));
  }

  #find(id: string): Order | null {
    const row = this.#selectOrder.get(id);
    return row ? readOrder(row) : null;
  }

  #findMeant({ checkout, payment }: PaymentEvent): Order | null {
    const row =
      checkout === null
        ? this.#database.prepare('SELECT * FROM orders WHERE payment_reference = ?').get(payment)
        : this.#database.prepare('SELECT * FROM orders WHERE checkout_reference = ?').get(checkout.reference);
    return row ? readOrder(row) : null;
  }

  #isHeld(eventId: string): boolean {
    const row = this.#database.prepare('SELECT handled_at FROM payment_events WHERE id = ?').get(eventId);
    return row?.handled_at === null;
  }

  /** Applies the held events of an order's checkout and payment; returns the ids of the events that counted. */
  #applyWaiting(order: Order, now: Date): readonly string[] {
    const events = this.#database
      .prepare(`
        SELECT * FROM payment_events
        WHERE handled_at IS NULL AND (checkout = ? OR payment = ?)
        ORDER BY at, id`)
      .all(order.checkoutReference, order.paymentReference)
      .map(readEvent);
    const { counted, ...change } = applyPayments(order, events, now);
    if (change.order !== order) this.#write(change);
    const markHandled = this.#database.prepare('UPDATE payment_events SET handled_at = ?, order_id = ? WHERE id = ?');
    for (const id of counted) markHandled.run(now.toISOString(), order.id, id);
    // The payment is known now, and so are the events held for it.
    const knowsMore = change.order.paymentReference !== order.paymentReference;
    return knowsMore ? [...counted, ...this.#applyWaiting(change.order, now)] : counted;
  }

  #write({ order, issued, revoked }: OrderChange): void {
    if (issued) insertKey(this.#database, issued);
    if (revoked) endKey(this.#database, revoked.hash, revoked.at);
    this.#database.prepare(writeOrder).run(order as unknown as Record<keyof Order, SQLInputValue>);
  }
}

function readOrder(row: Record<string, SQLOutputValue>): Order {
  return Object.fromEntries(properties.map((property) => [property, row[columns[property]]])) as unknown as Order;
}

function readEvent(row: Record<string, SQLOutputValue>): PaymentEvent {
  return {
    id: String(row.id),
    effect: row.effect as PaymentEvent['effect'],
    orderId: row.order_id as string | null,
    checkout: row.checkout === null ? null : readCheckout(row),
    payment: row.payment as string | null,
    at: String(row.at),
  };
}

/** The columns of an event without a checkout. */
const noCheckout = { reference: null, currency: null, subtotal: null, unpaid: null };

function readCheckout(row: Record<string, SQLOutputValue>): CheckoutState {
  return {
    reference: String(row.checkout),
    currency: row.currency as string | null,
    subtotal: row.subtotal as number | null,
    unpaid: row.unpaid as number | null,
  };
}
