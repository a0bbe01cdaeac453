import { applyPayments, keysToRead, settleChange } from '#accounts/change-order.ts';
import {
  type ChangedOrder,
  type EventOutcome,
  type Order,
  type OrderChange,
  type OrderFilter,
  type OrderStore,
  type PaymentEvent,
  type Purged,
  unpaidStatuses,
} from '#accounts/order.ts';
import { runOnStore } from '../sqlite-errors.ts';
import { SqliteStore, selectAll } from '../sqlite-store.ts';
import { findKey, readBody, writeKey } from './sqlite-key-store.ts';

/** Orders in SQLite, in the same file as the keys. Every change is one transaction that holds the write lock. */
export class SqliteOrderStore extends SqliteStore implements OrderStore {
  save(order: Order): Promise<Order> {
    return this.transact(() => {
      const saved = this.#find('id', order.id);
      if (saved !== null) return saved;
      this.database.prepare('INSERT INTO orders (id, body) VALUES (?, ?)').run(order.id, JSON.stringify(order));
      this.#applyWaiting(order, new Date(order.createdAt));
      return order;
    });
  }

  find(id: string): Promise<Order | null> {
    return runOnStore(() => this.#find('id', id));
  }

  async list({ email, status, day }: OrderFilter, limit: number): Promise<Order[]> {
    const fitting = `SELECT body FROM orders WHERE (?1 IS NULL OR lower(body ->> 'email') = lower(?1))
      AND (?2 IS NULL OR status = ?2) AND (?3 IS NULL OR date(created_at) = ?3)
      ORDER BY created_at DESC, id DESC LIMIT ?4`;
    const rows = await this.all<{ body: string }>(fitting, email ?? null, status ?? null, day ?? null, limit);
    return rows.map(({ body }) => JSON.parse(body));
  }

  change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null> {
    return this.transact(() => {
      const order = this.#find('id', id);
      if (order === null) return null;
      const change = decide(order);
      if (change === null) return { order, isChanged: false };
      return { order: this.#write(change), isChanged: true };
    });
  }

  receive(event: PaymentEvent, now: Date): Promise<EventOutcome> {
    return this.transact(() => {
      const keep = 'INSERT INTO payment_events (id, received_at, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
      this.database.prepare(keep).run(event.id, now.toISOString(), JSON.stringify(event));
      const storedEvent = this.database.prepare('SELECT handled_at FROM payment_events WHERE id = ?').get(event.id);
      if (storedEvent?.handled_at !== null) return 'repeated';
      const { checkout, payment } = event;
      const order =
        checkout === null
          ? this.#find('payment_reference', payment)
          : this.#find('checkout_reference', checkout.reference);
      return order !== null && this.#applyWaiting(order, now).includes(event.id) ? 'handled' : 'held';
    });
  }

  purge(before: Date): Promise<Purged> {
    const statuses = unpaidStatuses.map((status) => `'${status}'`).join(', ');
    const abandoned = `status IN (${statuses}) AND created_at < ?`;
    return this.transact(() => {
      const remove = (from: string) =>
        Number(this.database.prepare(`DELETE FROM ${from}`).run(before.toISOString()).changes);
      const events = remove('payment_events WHERE handled_at IS NULL AND received_at < ?');
      remove(`payment_events WHERE order_id IN (SELECT id FROM orders WHERE ${abandoned})`);
      return { orders: remove(`orders WHERE ${abandoned}`), events };
    });
  }

  #find(column: 'id' | 'checkout_reference' | 'payment_reference', value: string | null): Order | null {
    return readBody(this.database.prepare(`SELECT body FROM orders WHERE ${column} = ?`).get(value));
  }

  /** Applies the held events of an order's checkout and payment; returns the ids of the events that counted. */
  #applyWaiting(order: Order, now: Date): readonly string[] {
    const select =
      'SELECT body FROM payment_events WHERE handled_at IS NULL AND (checkout = ? OR payment = ?) ORDER BY at, id';
    const { checkoutReference, paymentReference } = order;
    const rows = selectAll<{ body: string }>(this.database, select, checkoutReference, paymentReference);
    const events = rows.map(({ body }): PaymentEvent => JSON.parse(body));
    const { counted, ...change } = applyPayments(order, events, now);
    const newOrder = change.order === order ? order : this.#write(change);
    const markHandled = this.database.prepare('UPDATE payment_events SET handled_at = ?, order_id = ? WHERE id = ?');
    for (const id of counted) markHandled.run(now.toISOString(), order.id, id);
    // The payment is known now, and so are the events held for it.
    const knowsMore = newOrder.paymentReference !== paymentReference;
    return knowsMore ? [...counted, ...this.#applyWaiting(newOrder, now)] : counted;
  }

  /** Returns the order as it was written: one that cannot renew its key is freed from it. */
  #write(change: OrderChange): Order {
    const storedKeys = keysToRead(change).flatMap((hash) => findKey(this.database, hash) ?? []);
    const { order, changed } = settleChange(change, storedKeys);
    const { issued } = change;
    const insert = this.database.prepare('INSERT INTO api_keys (hash, body) VALUES (?, ?)');
    if (issued) insert.run(issued.hash, JSON.stringify(issued));
    for (const key of changed) writeKey(this.database, key);
    this.database.prepare('UPDATE orders SET body = ? WHERE id = ?').run(JSON.stringify(order), order.id);
    return order;
  }
}
