import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { applyPayments, type Order, type OrderChange, unpaidStatuses } from '#accounts/order.ts';
import type { ChangedOrder, OrderFilter, OrderStore, Purged } from '#accounts/order-store.ts';
import type { CheckoutState, EventOutcome, PaymentEvent } from '#accounts/payment-event.ts';
import { settleRenewal } from '#accounts/renewal.ts';
import { replaceSecret } from '#accounts/stored-key.ts';
import { fromSnakeCase } from '../stored-form.ts';
import { runOnStore } from './sqlite-errors.ts';
import { endKey, findKey, insertKey, writePlan, writeSecrets } from './sqlite-key-store.ts';
import { insertAll, insertion, SqliteStore, selectAll, toRow } from './sqlite-store.ts';

/** A payment event with the state of its checkout, if it has one, in columns of its own. */
type EventRow = Omit<PaymentEvent, 'checkout'> & Omit<CheckoutState, 'reference'> & { checkout: string | null };

/** Orders in SQLite, in the same file as the keys. Every method is one transaction that holds the write lock. */
export class SqliteOrderStore extends SqliteStore implements OrderStore {
  readonly #selectOrder;

  constructor(database: DatabaseSync) {
    super(database);
    this.#selectOrder = database.prepare('SELECT * FROM orders WHERE id = ?');
  }

  async save(order: Order): Promise<Order> {
    return this.transact(() => {
      const saved = this.#find(order.id);
      if (saved !== null) return saved;
      this.#write({ order });
      this.#applyWaiting(order, new Date(order.createdAt));
      return order;
    });
  }

  async find(id: string): Promise<Order | null> {
    return runOnStore(() => this.#find(id));
  }

  async list({ email, status, day }: OrderFilter, limit: number): Promise<Order[]> {
    const fitting = `SELECT * FROM orders WHERE (?1 IS NULL OR lower(email) = lower(?1)) AND (?2 IS NULL OR status = ?2)
      AND (?3 IS NULL OR date(created_at) = ?3) ORDER BY created_at DESC, id DESC LIMIT ?4`;
    return this.all<Order>(fitting, email ?? null, status ?? null, day ?? null, limit);
  }

  async change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null> {
    return this.transact(() => {
      const order = this.#find(id);
      if (order === null) return null;
      const change = decide(order);
      if (change === null) return { order, isChanged: false };
      return { order: this.#write(change), isChanged: true };
    });
  }

  async receive(event: PaymentEvent, now: Date): Promise<EventOutcome> {
    return this.transact(() => {
      const { checkout, ...own } = event;
      const { reference = null, ...state } = checkout ?? {};
      const row = { ...own, checkout: reference, ...state, receivedAt: now.toISOString() };
      insertAll(this.database, 'payment_events', [row]);
      if (!this.#isHeld(event.id)) return 'repeated';
      const order = this.#findMeant(event);
      return order !== null && this.#applyWaiting(order, now).includes(event.id) ? 'handled' : 'held';
    });
  }

  async purge(before: Date): Promise<Purged> {
    const statuses = unpaidStatuses.map((status) => `'${status}'`).join(', ');
    const abandoned = `status IN (${statuses}) AND paid_at IS NULL AND created_at < ?`;
    return this.transact(() => {
      const remove = (from: string) =>
        Number(this.database.prepare(`DELETE FROM ${from}`).run(before.toISOString()).changes);
      const events = remove('payment_events WHERE handled_at IS NULL AND received_at < ?');
      remove(`payment_events WHERE handled_at IS NOT NULL AND order_id IN (SELECT id FROM orders WHERE ${abandoned})`);
      return { orders: remove(`orders WHERE ${abandoned}`), events };
    });
  }

  #find(id: string): Order | null {
    return readOrder(this.#selectOrder.get(id));
  }

  #findMeant({ checkout, payment }: PaymentEvent): Order | null {
    return readOrder(
      checkout === null
        ? this.database.prepare('SELECT * FROM orders WHERE payment_reference = ?').get(payment)
        : this.database.prepare('SELECT * FROM orders WHERE checkout_reference = ?').get(checkout.reference),
    );
  }

  #isHeld(eventId: string): boolean {
    const row = this.database.prepare('SELECT handled_at FROM payment_events WHERE id = ?').get(eventId);
    return row?.handled_at === null;
  }

  /** Applies the held events of an order's checkout and payment; returns the ids of the events that counted. */
  #applyWaiting(order: Order, now: Date): readonly string[] {
    const select = `
      SELECT id, effect, order_id, checkout, currency, subtotal, unpaid, payment, customer, at FROM payment_events
      WHERE handled_at IS NULL AND (checkout = ? OR payment = ?)
      ORDER BY at, id`;
    const rows = selectAll<EventRow>(this.database, select, order.checkoutReference, order.paymentReference);
    const { counted, ...change } = applyPayments(order, rows.map(readEvent), now);
    const written = change.order === order ? order : this.#write(change);
    const markHandled = this.database.prepare('UPDATE payment_events SET handled_at = ?, order_id = ? WHERE id = ?');
    for (const id of counted) markHandled.run(now.toISOString(), order.id, id);
    // The payment is known now, and so are the events held for it.
    const knowsMore = written.paymentReference !== order.paymentReference;
    return knowsMore ? [...counted, ...this.#applyWaiting(written, now)] : counted;
  }

  /** Returns the order as it was written: one that cannot renew its key is freed from it. */
  #write({ order, issued, replaced, revoked, renewed }: OrderChange): Order {
    if (issued) insertKey(this.database, issued);
    const key = replaced && findKey(this.database, replaced.hash);
    if (replaced && key) writeSecrets(this.database, replaceSecret(key, replaced.secret));
    if (revoked) endKey(this.database, revoked.hash, revoked.at);
    const effect = renewed === undefined ? null : settleRenewal(order, renewed, findKey(this.database, renewed));
    if (effect !== null && 'key' in effect) writePlan(this.database, effect.key);
    const written = effect !== null && 'freed' in effect ? effect.freed : order;
    const row = toRow(written);
    const columns = Object.keys(row);
    const updates = columns.map((column) => `${column} = :${column}`).join(', ');
    this.database.prepare(`${insertion('orders', columns)} ON CONFLICT (id) DO UPDATE SET ${updates}`).run(row);
    return written;
  }
}

function readOrder(row: Record<string, SQLOutputValue> | undefined): Order | null {
  return row === undefined ? null : fromSnakeCase<Order>(row);
}

function readEvent({ checkout: reference, currency, subtotal, unpaid, ...event }: EventRow): PaymentEvent {
  return { ...event, checkout: reference === null ? null : { reference, currency, subtotal, unpaid } };
}
