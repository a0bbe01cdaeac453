import type { ClientSession, Collection, Filter, MongoClient } from 'mongodb';
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
import { hasEmail, transact } from './collection-store.ts';
import { isDuplicateKey, runOnMongo } from './mongo-faults.ts';
import { documentOfKey, type KeyDocument, type MongoKeyStore } from './mongo-key-store.ts';

export interface OrderDocument {
  _id: string;
  body: Order;
}

export interface EventDocument {
  _id: string;
  received_at: string;
  /** When it was applied to the order with this id; null while it is held. */
  handled_at: string | null;
  order_id: string | null;
  body: PaymentEvent;
}

interface OrderCollections {
  orders: Collection<OrderDocument>;
  events: Collection<EventDocument>;
  keys: Collection<KeyDocument>;
}

/** Orders in MongoDB. What changes together, an order, its events and keys, is one transaction (decisions/0012). */
export class MongoOrderStore implements OrderStore {
  readonly #client: MongoClient;
  readonly #collections: OrderCollections;
  readonly #keyStore: MongoKeyStore;

  /** @param keyStore forgets its cached keys whenever an order may have changed one */
  constructor(client: MongoClient, collections: OrderCollections, keyStore: MongoKeyStore) {
    this.#client = client;
    this.#collections = collections;
    this.#keyStore = keyStore;
  }

  save(order: Order): Promise<Order> {
    return runOnMongo(async () => {
      try {
        await this.#collections.orders.insertOne({ _id: order.id, body: order });
      } catch (error) {
        const first = isDuplicateKey(error) ? await this.find(order.id) : null;
        if (first === null) throw error;
        return first;
      }
      await this.#applyWaiting({ _id: order.id }, new Date(order.createdAt));
      return order;
    });
  }

  find(id: string): Promise<Order | null> {
    return runOnMongo(() => this.#find({ _id: id }));
  }

  list({ email, status, day }: OrderFilter, limit: number): Promise<Order[]> {
    const fitting = {
      ...(email !== undefined && hasEmail(email)),
      ...(status !== undefined && { 'body.status': status }),
      // `~` sorts after every character of a time.
      ...(day !== undefined && { 'body.createdAt': { $gte: day, $lt: `${day}~` } }),
    };
    const newestFirst = { sort: { 'body.createdAt': -1, _id: -1 }, limit } as const;
    return runOnMongo(async () => {
      const documents = await this.#collections.orders.find(fitting, newestFirst).toArray();
      return documents.map(({ body }) => body);
    });
  }

  change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null> {
    return this.#transact(async (session) => {
      const order = await this.#find({ _id: id }, session);
      const change = order && decide(order);
      if (order === null) return null;
      if (change === null) return { order, isChanged: false };
      return { order: await this.#write(change, session), isChanged: true };
    });
  }

  /** Stores the event before it looks for the order, and `save` does it the other way round: if both come at once, one sees the other. */
  receive(event: PaymentEvent, now: Date): Promise<EventOutcome> {
    const { events } = this.#collections;
    return runOnMongo(async () => {
      const received = { received_at: now.toISOString(), handled_at: null, order_id: null, body: event };
      await events.insertOne({ _id: event.id, ...received }).catch((error) => {
        if (!isDuplicateKey(error)) throw error;
      });
      const counted = await this.#applyWaiting(meantBy(event), now);
      if (counted.includes(event.id)) return 'handled';
      const isHandled = (await events.findOne({ _id: event.id, handled_at: { $ne: null } })) !== null;
      return isHandled ? 'repeated' : 'held';
    });
  }

  purge(before: Date): Promise<Purged> {
    const { orders, events } = this.#collections;
    const at = before.toISOString();
    const abandoned = { 'body.status': { $in: [...unpaidStatuses] }, 'body.createdAt': { $lt: at } };
    return runOnMongo(async () => {
      const purgedEvents = await events.deleteMany({ handled_at: null, received_at: { $lt: at } });
      let purged = 0;
      for await (const { _id } of orders.find(abandoned, { projection: { _id: 1 } })) {
        // It may have been paid since it was found.
        if ((await orders.deleteOne({ ...abandoned, _id })).deletedCount === 0) continue;
        await events.deleteMany({ order_id: _id });
        purged += 1;
      }
      return { orders: purged, events: purgedEvents.deletedCount };
    });
  }

  /** Does the work in one transaction, which may change keys. */
  async #transact<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const result = await transact(this.#client, work);
    this.#keyStore.forget();
    return result;
  }

  async #find(filter: Filter<OrderDocument>, session?: ClientSession): Promise<Order | null> {
    const document = await this.#collections.orders.findOne(filter, session ? { session } : {});
    return document?.body ?? null;
  }

  /** Applies waiting events until none is left, since an event may make known a payment with more. Returns the ids that counted. */
  async #applyWaiting(first: Filter<OrderDocument> | null, now: Date): Promise<string[]> {
    const countedIds: string[] = [];
    for (let orderFilter = first; orderFilter !== null; ) {
      const about = orderFilter;
      const applied = await this.#transact((session) => this.#applyOnce(about, now, session));
      countedIds.push(...(applied?.counted ?? []));
      const payment = applied?.newPayment ?? null;
      const waiting =
        payment && (await this.#collections.events.findOne({ 'body.payment': payment, handled_at: null }));
      orderFilter = waiting ? meantBy(waiting.body) : null;
    }
    return countedIds;
  }

  async #applyOnce(orderFilter: Filter<OrderDocument>, now: Date, session: ClientSession) {
    const { events } = this.#collections;
    const order = await this.#find(orderFilter, session);
    if (order === null) return null;
    const { checkoutReference, paymentReference } = order;
    const ofPayment = paymentReference === null ? [] : [{ 'body.payment': paymentReference }];
    const waiting = await events
      .find({ handled_at: null, $or: [{ 'body.checkout.reference': checkoutReference }, ...ofPayment] }, { session })
      .sort({ 'body.at': 1, _id: 1 })
      .toArray();
    const received = waiting.map(({ body }) => body);
    const { counted, ...change } = applyPayments(order, received, now);
    if (counted.length === 0) return null;
    const newOrder = change.order === order ? order : await this.#write(change, session);
    const handled = { handled_at: now.toISOString(), order_id: order.id };
    await events.updateMany({ _id: { $in: [...counted] } }, { $set: handled }, { session });
    const isNew = newOrder.paymentReference !== paymentReference;
    return { counted, newPayment: isNew ? newOrder.paymentReference : null };
  }

  /** Returns the order as it was written: one that cannot renew its key is freed from it. */
  async #write(change: OrderChange, session: ClientSession): Promise<Order> {
    const { orders, keys } = this.#collections;
    const keyHashes = keysToRead(change);
    const storedKeys =
      keyHashes.length === 0 ? [] : await keys.find({ _id: { $in: keyHashes } }, { session }).toArray();
    const { order, changed } = settleChange(
      change,
      storedKeys.map(({ body }) => body),
    );
    if (change.issued) await keys.insertOne(documentOfKey(change.issued), { session });
    for (const key of changed) await keys.replaceOne({ _id: key.hash }, documentOfKey(key), { session });
    await orders.replaceOne({ _id: order.id }, { body: order }, { session });
    return order;
  }
}

/** The filter for the order that an event is about; null if it names none. */
function meantBy({ checkout, payment }: PaymentEvent): Filter<OrderDocument> | null {
  if (checkout !== null) return { 'body.checkoutReference': checkout.reference };
  return payment === null ? null : { 'body.paymentReference': payment };
}
