import type { ClientSession, Collection, Db, MongoClient } from 'mongodb';
import { applyPayments, type Order, type OrderChange } from '#domain/order.ts';
import type { EventOutcome, PaymentEvent } from '#domain/payment-event.ts';
import type { Reservation } from '#domain/reservation.ts';
import type { ChangedOrder, OrderStore } from '#ports/order-store.ts';
import { requestPatienceMs } from './connect-mongo.ts';
import { askMongo, isDuplicateKey, storeUnavailable } from './mongo-faults.ts';
import { documentOfKey, type KeyDocument } from './mongo-key-store.ts';

/** An order as a document: its id as `_id`, the other properties under their names in snake case. */
export interface OrderDocument {
  _id: string;
  /** Counts the changes: whoever writes says which state it was made of. */
  revision: number;
  payment_reference: string | null;
  [property: string]: unknown;
}

export interface EventDocument {
  _id: string;
  effect: PaymentEvent['effect'];
  order_id: string | null;
  payment: string | null;
  at: string;
  received_at: string;
  handled_at: string | null;
}

export interface ReservationDocument {
  _id: string;
  fingerprint: string;
  order_id: string;
  created_at: string;
  /** Whether the order was made. */
  is_used: boolean;
}

/** The collections of orders and of all that changes with them. */
export function orderCollections(db: Db) {
  return {
    orders: db.collection<OrderDocument>('orders'),
    events: db.collection<EventDocument>('payment_events'),
    /** One document a payment, changed with each of its events, so that of two at once the second sees the first. */
    payments: db.collection<{ _id: string; events: number }>('payments'),
    reservations: db.collection<ReservationDocument>('reservations'),
  };
}

/** How long a change goes on trying against others and while the server is away, in milliseconds. */
const changePatienceMs = 10_000;

/** Orders in MongoDB. What changes together is one transaction. */
export class MongoOrderStore implements OrderStore {
  readonly #client: MongoClient;
  readonly #keys: Collection<KeyDocument>;
  readonly #collections: ReturnType<typeof orderCollections>;

  constructor(client: MongoClient, db: Db, keys: Collection<KeyDocument>) {
    this.#client = client;
    this.#keys = keys;
    this.#collections = orderCollections(db);
  }

  async reserve({ hash, ...reservation }: Reservation, oldest: Date): Promise<Reservation> {
    const { reservations } = this.#collections;
    const { fingerprint, orderId, createdAt } = reservation;
    return askMongo(async () => {
      await reservations.deleteMany({ created_at: { $lt: oldest.toISOString() } });
      const insertion = { fingerprint, order_id: orderId, created_at: createdAt, is_used: false };
      const keep = () =>
        reservations.findOneAndUpdate(
          { _id: hash },
          { $setOnInsert: insertion },
          { upsert: true, returnDocument: 'after' },
        );
      // Of several that insert at once, one is told that it came second; by then the first one's is there.
      const kept = await keep().catch((error: unknown) => (isDuplicateKey(error) ? keep() : Promise.reject(error)));
      if (kept === null) throw storeUnavailable('a reservation vanished while it was made');
      return { hash, fingerprint: kept.fingerprint, orderId: kept.order_id, createdAt: kept.created_at };
    });
  }

  async release({ hash, orderId }: Reservation): Promise<void> {
    await askMongo(() => this.#collections.reservations.deleteOne({ _id: hash, order_id: orderId, is_used: false }));
  }

  async save(order: Order, reservation: Reservation | null): Promise<Order | null> {
    const { orders, reservations } = this.#collections;
    return askMongo(async () => {
      try {
        return await this.#transact(async (session) => {
          const saved = await orders.findOne({ _id: order.id }, { session });
          if (saved !== null) return readOrder(saved);
          if (reservation !== null) {
            const held = { _id: reservation.hash, order_id: order.id };
            const { matchedCount } = await reservations.updateOne(held, { $set: { is_used: true } }, { session });
            if (matchedCount === 0) return null;
          }
          await orders.insertOne(documentOfOrder(order, 0), { session });
          return order;
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        return this.find(order.id);
      }
    });
  }

  async find(id: string): Promise<Order | null> {
    const document = await askMongo(() => this.#find(id));
    return document === null ? null : readOrder(document);
  }

  async change(id: string, decide: (order: Order) => OrderChange | null): Promise<ChangedOrder | null> {
    return askMongo(async () => {
      const deadline = Date.now() + changePatienceMs;
      for (;;) {
        const document = await this.#find(id);
        if (document === null) return null;
        const order = readOrder(document);
        const change = decide(order);
        if (change === null) return { order, isChanged: false };
        const isWritten = await this.#transact((session) => this.#write(document, change, session));
        if (isWritten) return { order: change.order, isChanged: true };
        if (Date.now() > deadline) throw storeUnavailable('an order is changed by others all the time');
      }
    });
  }

  async receive(event: PaymentEvent, now: Date): Promise<EventOutcome> {
    return askMongo(async () => {
      const deadline = Date.now() + changePatienceMs;
      for (;;) {
        const outcome = await this.#transact((session) => this.#receive(event, now, session));
        if (outcome !== null) return outcome;
        if (Date.now() > deadline) throw storeUnavailable('an order is changed by others all the time');
      }
    });
  }

  /** Null where the order was changed by another meanwhile, and nothing is written. */
  async #receive(event: PaymentEvent, now: Date, session: ClientSession): Promise<EventOutcome | null> {
    const { orders, events, payments } = this.#collections;
    const { id, effect, orderId, payment, at } = event;
    if (payment !== null) {
      await payments.updateOne({ _id: payment }, { $inc: { events: 1 } }, { upsert: true, session });
    }
    const received = { effect, order_id: orderId, payment, at, received_at: now.toISOString(), handled_at: null };
    await events.updateOne({ _id: id }, { $setOnInsert: received }, { upsert: true, session });
    const kept = await events.findOne({ _id: id }, { session });
    if (kept?.handled_at !== null) return 'repeated';

    const document =
      (orderId !== null ? await orders.findOne({ _id: orderId }, { session }) : null) ??
      (payment !== null ? await orders.findOne({ payment_reference: payment }, { session }) : null);
    if (document === null) return 'held';

    const order = readOrder(document);
    const known = [payment, order.paymentReference].filter((reference) => reference !== null);
    const waiting = await events
      .find({ handled_at: null, $or: [{ _id: id }, { order_id: order.id }, { payment: { $in: known } }] }, { session })
      .sort({ at: 1, _id: 1 })
      .toArray();
    const change = applyPayments(order, waiting.map(readEvent), now);
    if (change !== null && !(await this.#write(document, change, session))) {
      await session.abortTransaction();
      return null;
    }
    const handled = { $set: { handled_at: now.toISOString(), order_id: order.id } };
    await events.updateMany({ _id: { $in: waiting.map(({ _id }) => _id) } }, handled, { session });
    return 'handled';
  }

  /** Writes the change where the order is still the one that it was made of; answers whether it is. */
  async #write(from: OrderDocument, { order, issued, revoked }: OrderChange, session: ClientSession): Promise<boolean> {
    const { modifiedCount } = await this.#collections.orders.replaceOne(
      { _id: from._id, revision: from.revision },
      documentOfOrder(order, from.revision + 1),
      { session },
    );
    if (modifiedCount === 0) return false;
    if (issued) await this.#keys.insertOne(documentOfKey(issued), { session });
    if (revoked) {
      await this.#keys.updateOne(
        { _id: revoked.hash, revoked_at: null },
        { $set: { revoked_at: revoked.at } },
        { session },
      );
    }
    return true;
  }

  #find(id: string): Promise<OrderDocument | null> {
    const options = { readConcern: 'majority', signal: AbortSignal.timeout(requestPatienceMs) } as const;
    return this.#collections.orders.findOne({ _id: id }, options);
  }

  /** Runs the work in one transaction, over again where another one came in between. */
  async #transact<Result>(work: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const deadline = Date.now() + changePatienceMs;
    return this.#client.withSession((session) =>
      session.withTransaction(
        async () => {
          // The driver itself would start over for two minutes.
          if (Date.now() > deadline) throw storeUnavailable('no commit in time');
          return work(session);
        },
        { readConcern: 'snapshot', writeConcern: { w: 'majority' } },
      ),
    );
  }
}

function documentOfOrder({ id, ...order }: Order, revision: number): OrderDocument {
  const properties = Object.entries(order).map(([name, value]) => [snakeCase(name), value]);
  return { _id: id, revision, ...Object.fromEntries(properties) };
}

function readOrder({ _id, revision: _, ...properties }: OrderDocument): Order {
  const order = Object.entries(properties).map(([name, value]) => [camelCase(name), value]);
  return { id: _id, ...Object.fromEntries(order) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function readEvent({ _id, effect, order_id, payment, at }: EventDocument): PaymentEvent {
  return { id: _id, effect, orderId: order_id, payment, at };
}
