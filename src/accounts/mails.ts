import type { KeyedKind, KeyedStore } from '#records/keyed-store.ts';
import { dayMs, daysAfter } from '#text/days.ts';
import { isClaimable } from './change-order.ts';
import { isActive } from './plans.ts';
import { type MailSubject, type MailText, type WritingDeps, writeMail } from './write-mail.ts';

/** A mail to be sent. It holds no address and no code: they are read, and made, as it is sent. Times are ISO 8601, UTC. */
export interface QueuedMail {
  key: string;
  about: MailSubject;
  queuedAt: string;
  /** When it is tried next. Empty once it was sent or given up: it then stays for a week, so that nothing is mailed twice. */
  nextAt: string;
  attempts: number;
}

export const mailKind: KeyedKind<QueuedMail> = { name: 'mails', orderOf: ({ nextAt }) => nextAt, livesMs: 7 * dayMs };

/** How long after the first attempt the second follows; each later one waits twice as long, at most `maxRetryMs`. */
const retryMs = 60_000;
const maxRetryMs = 60 * 60_000;
/** How long a mail is tried, in days. */
const tryingDays = 1;
/** An account is mailed at most one link in so many minutes when somebody asks: a stranger could ask again and again. */
export const minutesBetweenLinks = 5;
const maxOrders = 20;

export interface Mailer {
  /** Throws MailRefused if no later attempt can succeed. */
  send(mail: MailText): Promise<void>;
}

/** The mail server takes no mail for this address. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused';
}

export interface MailDeps extends WritingDeps {
  mailQueue: KeyedStore<QueuedMail>;
  mailer: Mailer;
  log: { warn(fields: object, message: string): void };
  now: () => Date;
}

/** Mails to buyers. They wait in the store, so that a mail server that is down delays them and fails nothing else. */
export class Mails {
  readonly #deps: MailDeps;

  constructor(deps: MailDeps) {
    this.#deps = deps;
  }

  /** Mails the buyer of a paid order, once, if the order has an address. */
  async queueReceipt(orderId: string): Promise<void> {
    const order = await this.#deps.orders.find(orderId);
    if (order?.status !== 'paid' || order.email === null) return;
    await this.#queue(`receipt ${orderId}`, { orderId }, Number.POSITIVE_INFINITY);
  }

  /** Mails links to what was bought with this address: orders that wait to be claimed, and the account. */
  async queueLinks(email: string): Promise<void> {
    const { orders, keys, now } = this.#deps;
    for (const order of await orders.list({ email, status: 'paid' }, maxOrders)) {
      if (isClaimable(order))
        await this.#queue(`link ${order.id}`, { orderId: order.id }, minutesBetweenLinks * 60_000);
    }
    const working = (await keys.list('', email)).filter(({ revokedAt }) => revokedAt === null);
    const key = working.find(({ plan }) => isActive(plan, now())) ?? working[0];
    if (key !== undefined) await this.#queue(`link ${key.hash}`, { account: key.hash }, minutesBetweenLinks * 60_000);
  }

  /** Tries to send what is due. Processes that share a store may all do so: each mail is taken by one. */
  async sendDue(): Promise<void> {
    // Those that were sent come first, under an empty time.
    const waiting = await this.#deps.mailQueue.list({ from: '0' });
    for (const { key } of waiting.reverse()) await this.#send(key);
  }

  async #queue(key: string, about: MailSubject, quietMs: number): Promise<void> {
    const at = this.#deps.now().toISOString();
    const isQuiet = ({ queuedAt }: QueuedMail) => Date.parse(at) - Date.parse(queuedAt) < quietMs;
    await this.#deps.mailQueue.change(key, (queued) =>
      queued !== null && isQuiet(queued) ? queued : { key, about, queuedAt: at, nextAt: at, attempts: 0 },
    );
    // In the background: nobody waits for the mail server.
    void this.#send(key).catch((err) => this.#deps.log.warn({ err }, 'a mail could not be tried yet'));
  }

  async #send(key: string): Promise<void> {
    const mail = await this.#take(key);
    if (mail === null) return;
    const { mailer, log } = this.#deps;
    try {
      const text = await writeMail(this.#deps, mail.about, this.#deps.now());
      if (text !== null) await mailer.send(text);
    } catch (error) {
      const isLast = error instanceof MailRefused;
      // Messages of mail servers have addresses.
      const { code, responseCode } = Object(error);
      const fields = { code, responseCode, attempts: mail.attempts };
      log.warn(fields, isLast ? 'a mail could not be sent: given up' : 'a mail could not be sent: it is tried again');
      if (!isLast) return;
    }
    // Unless somebody asked for another one meanwhile.
    const isThis = ({ queuedAt }: QueuedMail) => queuedAt === mail.queuedAt;
    await this.#deps.mailQueue.change(key, (queued) => (queued && isThis(queued) ? { ...queued, nextAt: '' } : queued));
  }

  /** Takes a mail that is due, until its next attempt; null if another process has taken or sent it. */
  async #take(key: string): Promise<QueuedMail | null> {
    const now = this.#deps.now();
    let taken: QueuedMail | null = null;
    await this.#deps.mailQueue.change(key, (queued) => {
      taken = null;
      if (queued === null || queued.nextAt === '' || queued.nextAt > now.toISOString()) return queued;
      // Such as one that a restored backup had waiting.
      if (queued.queuedAt < daysAfter(now, -tryingDays)) return { ...queued, nextAt: '' };
      const waitMs = Math.min(retryMs * 2 ** queued.attempts, maxRetryMs);
      const nextAt = new Date(now.getTime() + waitMs).toISOString();
      taken = { ...queued, nextAt, attempts: queued.attempts + 1 };
      return taken;
    });
    return taken;
  }
}
