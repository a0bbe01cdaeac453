import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import Stripe from 'stripe';
import { type Listening, listen } from '../listen.ts';

/** What goes wrong with a request: no answer, an error, a cut connection, or a late answer. */
export type Fault = 'hang' | 'error' | 'reset' | 'cut after the work' | { slowMs: number };

export interface SignedEvent {
  body: string;
  signature: string;
}

/** A request as it arrived. Its form fields have names such as `metadata[order_id]`. */
interface SeenRequest {
  method: string;
  path: string;
  version: string | undefined;
  authorization: string | undefined;
  idempotencyKey: string | undefined;
  fields: Record<string, string>;
}

/** The parts of a checkout session that matter here. */
export interface Session {
  id: string;
  object: 'checkout.session';
  created: number;
  url: string;
  mode: 'payment' | 'subscription';
  status: 'open' | 'complete' | 'expired';
  payment_status: 'unpaid' | 'paid' | 'no_payment_required';
  currency: string;
  amount_subtotal: number;
  amount_total: number;
  payment_intent: string | null;
  customer: string | null;
  client_reference_id: string | null;
  metadata: Record<string, string>;
}

interface StripeEvent {
  id: string;
  object: 'event';
  type: string;
  created: number;
  data: { object: object };
}

/**
 * A small Stripe on a real socket. It keeps checkout sessions, events and idempotency keys, has methods for what buyers, banks
 * and operators do, signs the events that follow from that, and fails when a test asks for it. It does not deliver events: a
 * test does that when, as often and in the order it likes.
 */
export class StripeStandIn {
  readonly webhookSecret = 'whsec_of_the_stand_in';
  readonly secretKey = 'sk_test_of_the_stand_in';
  readonly seen: SeenRequest[] = [];
  /** The faults of the next requests, in order; null for a request that goes well, as do all after them. */
  readonly faults: (Fault | null)[] = [];
  #server: Listening | null = null;
  readonly #sessions = new Map<string, Session>();
  readonly #answers = new Map<string, { fields: string; session: Session }>();
  readonly #events: StripeEvent[] = [];
  /** The ids of sessions whose payment creates a customer. */
  readonly #customers = new Set<string>();
  /** By session id: when the charge began, in seconds, and what happened to it. */
  readonly #charges = new Map<string, { created: number; refunded: boolean; disputed: boolean }>();
  #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  async start(): Promise<string> {
    this.#server = await listen((req, res) => void this.#answer(req, res));
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.close();
  }

  sessionOf(orderId: string): Session {
    const session = [...this.#sessions.values()].find(({ metadata }) => metadata.order_id === orderId);
    if (session === undefined) throw new Error(`no session for ${orderId}`);
    return session;
  }

  /** Texts that must not be in any log. */
  get secrets(): { secretKey: string; webhookSecret: string } {
    return { secretKey: this.secretKey, webhookSecret: this.webhookSecret };
  }

  get sessionCount(): number {
    return this.#sessions.size;
  }

  /** The buyer pays by card. */
  pay(orderId: string): SignedEvent {
    const session = this.sessionOf(orderId);
    Object.assign(session, { status: 'complete', payment_status: 'paid' });
    this.#charge(session);
    return this.#sign('checkout.session.completed', { ...session });
  }

  /** The buyer uses a promotion code that leaves nothing to pay. */
  redeem(orderId: string): SignedEvent {
    const session = this.sessionOf(orderId);
    Object.assign(session, { status: 'complete', payment_status: 'no_payment_required', amount_total: 0 });
    return this.#sign('checkout.session.completed', { ...session });
  }

  /** The buyer pays by bank debit: the checkout completes, and the money arrives later or never. */
  promise(orderId: string): SignedEvent {
    const session = this.sessionOf(orderId);
    session.status = 'complete';
    this.#charge(session);
    return this.#sign('checkout.session.completed', { ...session });
  }

  keepPromise(orderId: string): SignedEvent {
    const session = this.sessionOf(orderId);
    session.payment_status = 'paid';
    return this.#sign('checkout.session.async_payment_succeeded', { ...session });
  }

  breakPromise(orderId: string): SignedEvent {
    return this.#sign('checkout.session.async_payment_failed', { ...this.sessionOf(orderId) });
  }

  expire(orderId: string): SignedEvent {
    const session = this.sessionOf(orderId);
    session.status = 'expired';
    return this.#sign('checkout.session.expired', { ...session });
  }

  refund(orderId: string, part: 'in full' | 'in part'): SignedEvent {
    const session = this.sessionOf(orderId);
    const refunded = part === 'in full';
    const charge = this.#charges.get(session.id);
    if (refunded && charge) charge.refunded = true;
    return this.#sign('charge.refunded', {
      id: `ch_${session.id}`,
      object: 'charge',
      amount: 4900,
      amount_refunded: refunded ? 4900 : 1200,
      refunded,
      payment_intent: `pi_${session.id}`,
      metadata: {},
    });
  }

  dispute(orderId: string): SignedEvent {
    const session = this.sessionOf(orderId);
    const charge = this.#charges.get(session.id);
    if (charge) charge.disputed = true;
    const payment = { charge: `ch_${session.id}`, payment_intent: `pi_${session.id}` };
    return this.#sign('charge.dispute.created', {
      id: `dp_${session.id}`,
      object: 'dispute',
      ...payment,
      metadata: {},
    });
  }

  /** An event of any type about any object. */
  event(type: string, object: object): SignedEvent {
    return this.#sign(type, object);
  }

  /** Signs a body as of a time, with this server's secret or another one. */
  signatureOf(payload: string, at: Date, secret = this.webhookSecret): string {
    const timestamp = Math.floor(at.getTime() / 1000);
    return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  }

  #charge(session: Session): void {
    session.payment_intent = `pi_${session.id}`;
    if (this.#customers.has(session.id)) session.customer = `cus_${session.id}`;
    this.#charges.set(session.id, { created: this.#seconds(), refunded: false, disputed: false });
  }

  #seconds(): number {
    return Math.floor(this.#now().getTime() / 1000);
  }

  #sign(type: string, object: object): SignedEvent {
    const id = `evt_${this.#events.length + 1}`;
    const event: StripeEvent = { id, object: 'event', type, created: this.#seconds(), data: { object } };
    this.#events.push(event);
    const body = JSON.stringify(event);
    return { body, signature: this.signatureOf(body, this.#now()) };
  }

  async #answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const fields = Object.fromEntries(new URLSearchParams(await text(req)));
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://stripe');
    const { authorization } = req.headers;
    const idempotencyKey = req.headers['idempotency-key']?.toString();
    const version = req.headers['stripe-version']?.toString();
    this.seen.push({ method: req.method ?? '', path: pathname, version, authorization, idempotencyKey, fields });

    const fault = this.faults.shift();
    if (fault === 'hang') return;
    if (fault === 'reset') return void req.socket.resetAndDestroy();
    if (fault === 'error') return reply(res, 500, { error: { type: 'api_error', message: 'An error of ours.' } });
    const given = req.method === 'GET' ? Object.fromEntries(searchParams) : fields;
    const { status, body } = this.#work(req.method ?? '', pathname, given, idempotencyKey, authorization);
    if (fault === 'cut after the work') return void req.socket.resetAndDestroy();
    if (fault) await pause(fault.slowMs);
    reply(res, status, body);
  }

  #work(
    method: string,
    path: string,
    fields: Record<string, string>,
    idempotencyKey: string | undefined,
    authorization: string | undefined,
  ): { status: number; body: object } {
    if (authorization !== `Bearer ${this.secretKey}`) {
      const message = `Invalid API Key provided: ${authorization}`;
      return { status: 401, body: { error: { type: 'invalid_request_error', message } } };
    }
    if (method === 'POST' && path === '/v1/checkout/sessions') return this.#createSession(fields, idempotencyKey ?? '');
    if (path === '/v1/events') return { status: 200, body: this.#listEvents(fields) };
    const session = this.#sessions.get(path.replace('/v1/checkout/sessions/', ''));
    if (session === undefined) {
      return { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } };
    }
    return { status: 200, body: { ...session, payment_intent: this.#expandPayment(session) } };
  }

  #createSession(fields: Record<string, string>, key: string): { status: number; body: object } {
    const asked = JSON.stringify(fields);
    const earlier = this.#answers.get(key);
    if (earlier && earlier.fields !== asked) return { status: 400, body: { error: { type: 'idempotency_error' } } };
    if (earlier) return { status: 200, body: earlier.session };
    if (fields.customer_email?.endsWith('.refused.example')) {
      const message = `Invalid email address: ${fields.customer_email}`;
      return { status: 400, body: { error: { type: 'invalid_request_error', param: 'customer_email', message } } };
    }
    const id = `cs_test_${this.#sessions.size + 1}`;
    const price = 'line_items[0][price_data]';
    const amount = Number(fields[`${price}[unit_amount]`]);
    const session: Session = {
      id,
      object: 'checkout.session',
      created: this.#seconds(),
      mode: 'payment',
      currency: fields[`${price}[currency]`] ?? '',
      amount_subtotal: amount,
      amount_total: amount,
      url: `https://checkout.stripe.example/c/pay/${id}`,
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      customer: null,
      client_reference_id: fields.client_reference_id ?? null,
      metadata: { order_id: fields['metadata[order_id]'] ?? '' },
    };
    this.#sessions.set(id, session);
    if (fields.customer_creation === 'always') this.#customers.add(id);
    this.#answers.set(key, { fields: asked, session });
    return { status: 200, body: session };
  }

  /** Lists events of some types since a time, newest first. */
  #listEvents(fields: Record<string, string>): object {
    const types = Object.keys(fields).flatMap((name) => (name.startsWith('types[') ? (fields[name] ?? '') : []));
    const found = this.#events
      .filter(({ type, created }) => types.includes(type) && created >= Number(fields['created[gte]']))
      .toReversed();
    const limit = Number(fields.limit);
    return { object: 'list', url: '/v1/events', data: found.slice(0, limit), has_more: found.length > limit };
  }

  #expandPayment({ id, payment_intent, payment_status }: Session): object | null {
    if (payment_intent === null) return null;
    const charge = { id: `ch_${id}`, object: 'charge', ...this.#charges.get(id) };
    const status = payment_status === 'paid' ? 'succeeded' : 'processing';
    return { id: payment_intent, object: 'payment_intent', status, latest_charge: charge };
  }
}

function reply(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'Content-Type': 'application/json', 'Request-Id': 'req_1' }).end(JSON.stringify(body));
}
