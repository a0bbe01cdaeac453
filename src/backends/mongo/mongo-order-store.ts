import { applyPayments, type Order, type OrderChange, unpaidStatuses } from '#accounts/order.ts';
import type { ChangedOrder, OrderFilter, OrderStore, Purged } from '#accounts/order-store.ts';
import type { CheckoutState, EventOutcome, PaymentEvent } from '#accounts/payment-event.ts';
import { settleRenewal } from '#accounts/renewal.ts';
import { fromSnakeCase, keepPlan, toSnakeCase } from '../stored-form.ts';
import { requestTimeoutMs } from './connect-mongo.ts';
import { isDuplicateKey, runOnMongo, storeUnavailable } from './mongo-faults.ts';
import { documentOfKey, type KeyDocument, keyOfDocument, type MongoKeyStore } from './mongo-key-store.ts';
import type { Collections } from './prepare-collections.ts';

/** An order as a document: its id as `_id`, the other properties in snake case. */
export interface OrderDocument {
  _id: string;
  /** Counts the changes: each write says which state it was derived from. */
  revision: number;
  /** The events that made it what it is. */
  applied: string[];
  /** What its last change does to keys, until that is done; null when it is. */
  unsettled: Unsettled | null;
  checkout_reference: string;
  payment_reference: string | null;
  [property: string]: unknown;
}

interface Unsettled {
  issued: KeyDocument | null;
  revoked: { hash: string; at: string } | null;
  /** These two are missing in documents of earlier versions. */
  replaced?: { hash: string; secret_hash: string; prefix: string } | null;
  renewed?: string | null;
}

export interface EventDocument {
  _id: string;
  effect: PaymentEvent['effect'];
  order_id: string | null;
  /** Absent in documents of older versions. */
  checkout?: CheckoutState | null;
  payment: string | null;
  /** Absent in documents of older versions. */
  customer?: string | null;
  at: string;
  received_at: string;
  handled_at: string | null;
}

/** How long a change keeps retrying against concurrent changes, in milliseconds. */
const changeTimeoutMs = 10_000;

/**
 * Orders in MongoDB. A change of an order is one write of one document, which also says what happens to keys. A new key
 * is stored before that write, so if it cannot be stored the order stays unchanged. A known key is revoked, replaced or
 * renewed after it; if a process stopped in between, the next reader of the order does so. There are no transactions: one
 * left open by a killed process would lock its order for a minute.
 */
export class MongoOrderStore implements OrderStore {
  readonly #collections: Collections;
  readonly #keyStore: MongoKeyStore;

  /** @param keyStore whose memory of a key ends with the key */
  constructor(collections: Collections, keyStore: MongoKeyStore) {
    this.#collections = collections;
    this.#keyStore = keyStore;
  }

  async save(order: Order): Promise<Order> {
    const { orders } = this.#collections;
    return runOnMongo(async () => {
      try {
        await orders.insertOne({ ...documentOfOrder(order), revision: 0, applied: [], unsettled: null });
        await this.#applyWaiting(() => this.#findSettled({ _id: order.id }), new Date(order.createdAt));
        return order;
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return (await this.find(order.id)) ?? order;
      }
    });
  }

  async find(id: string): Promise<Order | null> {
    return runOnMongo(async () => {
      const document = await this.#findSettled({ _id: id });
      return document === null ? null : readOrder(document);
    });
  }

  async list({ email, status, day }: OrderFilter, limit: number): Promise<Order[]> {
    const fitting = {
      ...(email !== undefined && { $expr: { $eq: [{ $toLower: '$email' }, { $literal: email.toLowerCase() }] } }),
      ...(status !== undefined && { status }),
      ...(day !== undefined && { created_at: { $gte: day, $lt: `${day}~` } }),
    };
    return runOnMongo(async () => {
      const newestFirst = this.#collections.orders.find(fitting).sort({ created_at: -1, _id: -1 });
      return (await newestFirst.limit(limit).toArray()).map(readOrder);
    });
  }

  async change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null> {
    return runOnMongo(async () => {
      const deadline = Date.now() + changeTimeoutMs;
      for (;;) {
        const document = await this.#findSettled({ _id: id });
        if (document === null) return null;
        const order = readOrder(document);
        const change = decide(order);
        if (change === null) return { order, isChanged: false };
        const written = await this.#write(document, change, []);
        if (written !== null) return { order: readOrder(written), isChanged: true };
        if (Date.now() > deadline) throw storeUnavailable(new Error('other processes keep changing the order'));
      }
    });
  }

  /**
   * An event is stored before its order is looked up, and an order is written before the events of its checkout and
   * payment are looked up: if both arrive at once, at least one sees the other.
   */
  async receive(event: PaymentEvent, now: Date): Promise<EventOutcome> {
    return runOnMongo(async () => {
      if (!(await this.#keep(event, now))) return 'repeated';
      const { here, all } = await this.#applyWaiting(() => this.#findMeant(event), now);
      if (here.has(event.id)) return 'handled';
      return all.includes(event.id) ? 'repeated' : 'held';
    });
  }

  async purge(before: Date): Promise<Purged> {
    const { orders, events } = this.#collections;
    const at = before.toISOString();
    return runOnMongo(async () => {
      await this.settleAll();
      await this.#collections.keys.deleteMany({ is_provisional: true, created_at: { $lt: at } });
      const held = await events.deleteMany({ handled_at: null, received_at: { $lt: at } });
      const abandoned = { status: { $in: [...unpaidStatuses] }, paid_at: null, created_at: { $lt: at } };
      let purged = 0;
      for await (const { _id } of orders.find(abandoned, { projection: { _id: 1 } })) {
        // It may have been paid since it was found.
        if ((await orders.deleteOne({ ...abandoned, _id })).deletedCount === 0) continue;
        await events.deleteMany({ order_id: _id, handled_at: { $ne: null } });
        purged += 1;
      }
      return { orders: purged, events: held.deletedCount };
    });
  }

  /** Finishes what stopped processes left undone. A key that is still provisional afterwards belongs to no order. */
  async settleAll(): Promise<void> {
    const left = this.#collections.orders.find({ unsettled: { $type: 'object' } });
    for await (const document of left) await this.#settle(document);
  }

  /** Stores the event; returns whether it still has to be handled. */
  async #keep({ id, effect, orderId, checkout, payment, customer, at }: PaymentEvent, now: Date): Promise<boolean> {
    const { events } = this.#collections;
    const received_at = now.toISOString();
    const received = { effect, order_id: orderId, checkout, payment, customer, at, received_at, handled_at: null };
    try {
      await events.updateOne({ _id: id }, { $setOnInsert: received }, { upsert: true });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    const kept = await events.findOne({ _id: id });
    // Never treated as a repeat: the provider must send it again.
    if (kept === null) throw storeUnavailable(new Error('a payment event was not found after it was written'));
    return kept.handled_at === null;
  }

  async #findMeant({ checkout, payment }: PaymentEvent): Promise<OrderDocument | null> {
    if (checkout !== null) return this.#findSettled({ checkout_reference: checkout.reference });
    return payment === null ? null : this.#findSettled({ payment_reference: payment });
  }

  /**
   * Applies the held events of an order's checkout and payment, until there are none. Returns the ids of the events
   * that this call applied, and of all that were ever applied.
   */
  async #applyWaiting(find: () => Promise<OrderDocument | null>, now: Date) {
    const here = new Set<string>();
    const deadline = Date.now() + changeTimeoutMs;
    for (;;) {
      const document = await find();
      if (document === null) return { here, all: [] };
      const { _id: order_id, applied: all } = document;
      const waiting = await this.#findWaiting(document);
      const done = waiting.map(({ _id }) => _id).filter((id) => all.includes(id));
      const handled = { $set: { handled_at: now.toISOString(), order_id } };
      if (done.length > 0) await this.#collections.events.updateMany({ _id: { $in: done } }, handled);

      const fresh = waiting.filter(({ _id }) => !all.includes(_id)).map(readEvent);
      const { counted, ...change } = applyPayments(readOrder(document), fresh, now);
      if (counted.length === 0) return { here, all };
      if ((await this.#write(document, change, counted)) !== null) for (const id of counted) here.add(id);
      if (Date.now() > deadline) throw storeUnavailable(new Error('other processes keep changing the order'));
    }
  }

  /** The events of the order's checkout or payment that no order has taken so far. */
  #findWaiting({ checkout_reference, payment_reference }: OrderDocument): Promise<EventDocument[]> {
    const ofPayment = payment_reference === null ? [] : [{ payment: payment_reference }];
    return this.#collections.events
      .find({ handled_at: null, $or: [{ 'checkout.reference': checkout_reference }, ...ofPayment] })
      .sort({ at: 1, _id: 1 })
      .toArray();
  }

  /**
   * Writes the change if the order is still in the state it was derived from; returns the order as it then is, or null
   * if it was not.
   */
  async #write(from: OrderDocument, change: OrderChange, applied: readonly string[]): Promise<OrderDocument | null> {
    const { order, issued } = change;
    const document: OrderDocument = {
      ...documentOfOrder(order),
      revision: from.revision + 1,
      applied: [...from.applied, ...applied],
      unsettled: unsettledOf(change),
    };
    if (issued) return (await this.#issue(from, document, documentOfKey(issued))) ? document : null;
    if (!(await this.#replace(from, document))) return null;
    return this.#settle(document);
  }

  async #replace({ _id, revision }: OrderDocument, document: OrderDocument): Promise<boolean> {
    const { modifiedCount } = await this.#collections.orders.replaceOne({ _id, revision }, document);
    return modifiedCount === 1;
  }

  /** Writes a change that starts a key. The key is provisional until the order names it; nobody knows it before. */
  async #issue(from: OrderDocument, document: OrderDocument, key: KeyDocument): Promise<boolean> {
    try {
      await this.#collections.keys.insertOne({ ...key, is_provisional: true });
    } catch (error) {
      throw isDuplicateKey(error) ? new Error('This key already exists.') : error;
    }
    let isIssued: boolean;
    try {
      isIssued = await this.#replace(from, document);
    } catch (error) {
      // It is unknown whether the write succeeded: the key is given to nobody, and can be claimed again.
      await this.#undo(from, document, key).catch(() => {});
      throw error;
    }
    if (!isIssued) {
      await this.#collections.keys.deleteOne({ _id: key._id });
      return false;
    }
    // The key already works; what is left to do, the next reader of the order does.
    await this.#settle(document).catch(() => {});
    return true;
  }

  /** Takes back the first key of an order. A key that the order renews may have lost its days already: it gets them back. */
  async #undo(from: OrderDocument, { _id, revision }: OrderDocument, key: KeyDocument): Promise<void> {
    const order = readOrder(from);
    const unsettled = order.renewsHash === null ? null : unsettledOf({ order, renewed: order.renewsHash });
    const asBefore = { ...from, revision: revision + 1, unsettled };
    await this.#collections.orders.replaceOne({ _id, revision, key_hash: key._id }, asBefore);
    await this.#collections.keys.deleteOne({ _id: key._id });
  }

  async #findSettled(filter: Partial<Pick<OrderDocument, '_id' | 'checkout_reference' | 'payment_reference'>>) {
    const document = await this.#collections.orders.findOne(filter, { signal: AbortSignal.timeout(requestTimeoutMs) });
    return document === null ? null : this.#settle(document);
  }

  /**
   * Applies the key changes of an order's last change, which can be repeated, and notes that they are done. Returns the
   * order as it then is.
   */
  async #settle(document: OrderDocument): Promise<OrderDocument> {
    const { _id, revision, unsettled } = document;
    if (unsettled === null) return document;
    const { issued, revoked, replaced = null, renewed = null } = unsettled;
    const { keys, orders } = this.#collections;
    if (issued !== null) {
      const { _id: hash, ...key } = issued;
      await keys.updateOne({ _id: hash }, { $setOnInsert: key, $unset: { is_provisional: '' } }, { upsert: true });
      // Keys left by processes that stopped before the order named them.
      await keys.deleteMany({ order_id: _id, is_provisional: true, _id: { $ne: hash } });
    }
    // A process that was held up must not repeat a change over later ones.
    const notLater = { order_revision: { $not: { $gte: revision } } };
    if (revoked !== null) {
      const revocation = { revoked_at: { $ifNull: ['$revoked_at', revoked.at] }, order_revision: revision };
      await keys.updateOne({ _id: revoked.hash, ...notLater }, [{ $set: revocation }]);
      this.#keyStore.forget(revoked.hash);
    }
    if (replaced !== null) {
      const { hash, ...secret } = replaced;
      const ended = { retiring_hash: null, retiring_prefix: null, retiring_ends_at: null, revoked_at: null };
      await keys.updateOne({ _id: hash, ...notLater }, { $set: { ...secret, ...ended, order_revision: revision } });
      this.#keyStore.forget(hash);
    }
    if (renewed !== null) await this.#renew(_id, renewed);
    const settled = await orders.findOneAndUpdate(
      { _id, revision },
      { $set: { unsettled: null } },
      { returnDocument: 'after' },
    );
    return settled ?? (await this.#findSettled({ _id })) ?? { ...document, unsettled: null };
  }

  /**
   * Makes a key follow an order that renews it. The key is read before the order and written only if nobody wrote it
   * since, even where nothing changes: so of two processes that do this, the one with the older order writes nothing.
   */
  async #renew(orderId: string, hash: string): Promise<void> {
    const { keys, orders } = this.#collections;
    const deadline = Date.now() + changeTimeoutMs;
    for (;;) {
      if (Date.now() > deadline) throw storeUnavailable(new Error('other processes keep changing the key'));
      const held = await keys.findOne({ _id: hash });
      const document = await orders.findOne({ _id: orderId });
      if (document === null) return;
      const key = held && keyOfDocument(held);
      const effect = settleRenewal(readOrder(document), hash, key);
      if (effect !== null && 'freed' in effect) {
        const { applied, revision } = document;
        const freed = { ...documentOfOrder(effect.freed), revision: revision + 1, applied, unsettled: null };
        if (await this.#replace(document, freed)) return;
        continue;
      }
      if (held === null || key === null) return;
      const { revoked_at, renewal_writes = null } = held;
      const { modifiedCount } = await keys.updateOne(
        { _id: hash, revoked_at, renewal_writes },
        { $set: keepPlan(effect?.key ?? key), $inc: { renewal_writes: 1 } },
      );
      this.#keyStore.forget(hash);
      if (modifiedCount === 1) return;
    }
  }
}

function unsettledOf({ issued, revoked, replaced, renewed }: OrderChange): Unsettled | null {
  if (!issued && !revoked && !replaced && !renewed) return null;
  return {
    issued: issued ? documentOfKey(issued) : null,
    revoked: revoked ?? null,
    replaced: replaced
      ? { hash: replaced.hash, secret_hash: replaced.secret.hash, prefix: replaced.secret.prefix }
      : null,
    renewed: renewed ?? null,
  };
}

function documentOfOrder({ id, ...order }: Order) {
  const { checkoutReference: checkout_reference, paymentReference: payment_reference } = order;
  return { _id: id, checkout_reference, payment_reference, ...toSnakeCase(order) };
}

function readOrder({ _id, revision: _, applied: _applied, unsettled: _unsettled, ...order }: OrderDocument): Order {
  // Orders of earlier versions lack some properties.
  const later = { renewsHash: null, customerReference: null };
  return { id: _id, ...later, ...fromSnakeCase<Omit<Order, 'id' | keyof typeof later>>(order) };
}

function readEvent({
  _id,
  effect,
  order_id,
  checkout = null,
  payment,
  customer = null,
  at,
}: EventDocument): PaymentEvent {
  return { id: _id, effect, orderId: order_id, checkout, payment, customer, at };
}
