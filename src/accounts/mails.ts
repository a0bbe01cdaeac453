import type { KeyedKind, KeyedStore } from '#records/keyed-store.ts';
import { dayMs, daysAfter } from '#text/days.ts';
import { isClaimable } from './change-order.ts';
import type { OrderStore } from './order.ts';
import { isActive } from './plans.ts';
import { mailedCode, type SignInCodes, type SignInTarget } from './sign-in-codes.ts';
import { currentSecretOf, type KeyStore } from './stored-key.ts';

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
    let mail: QueuedMail | null = null;
    await this.#deps.mailQueue.change(key, (queued) => {
      mail = null;
      if (queued === null || queued.nextAt === '' || queued.nextAt > now.toISOString()) return queued;
      // Such as one that a restored backup had waiting.
      if (queued.queuedAt < daysAfter(now, -tryingDays)) return { ...queued, nextAt: '' };
      const waitMs = Math.min(retryMs * 2 ** queued.attempts, maxRetryMs);
      const nextAt = new Date(now.getTime() + waitMs).toISOString();
      mail = { ...queued, nextAt, attempts: queued.attempts + 1 };
      return mail;
    });
    return mail;
  }
}

/** What a mail is about: an order, to whom it was paid by; or an account, to its holder. */
export type MailSubject = { orderId: string } | { account: string };

export interface MailText {
  to: string;
  subject: string;
  text: string;
}

export interface WritingDeps {
  orders: Pick<OrderStore, 'find' | 'list'>;
  keys: Pick<KeyStore, 'find' | 'list'>;
  signInCodes: SignInCodes;
  pepper: string;
  publicUrl: string;
}

/** The text of a mail, with codes that are made now; null if there is nobody to write to, or nothing to open any more. */
export async function writeMail(deps: WritingDeps, about: MailSubject, now: Date): Promise<MailText | null> {
  const { orders, keys, signInCodes, pepper, publicUrl } = deps;
  const page = `${publicUrl}/account`;
  const ending = [
    `Each link works once, within ${mailedCode.minutes} minutes, when you press the button on its page.`,
    `For another one: ${page}`,
    'You did not ask for this? Then ignore it: nobody is signed in without a link.',
  ];
  const linkTo = async (target: SignInTarget) => {
    const { code } = await signInCodes.make(target, mailedCode, pepper, now);
    // Browsers send nothing after # to a server, so the code is in no log.
    return `${page}#code=${code}`;
  };
  const write = (to: string, subject: string, lines: string[]) => ({
    to,
    subject,
    text: [...lines, ...ending, ''].join('\n\n'),
  });

  if ('account' in about) {
    const key = await keys.find(about.account);
    if (key === null || key.email === null || key.revokedAt !== null) return null;
    const link = await linkTo({ account: key.hash, secret: currentSecretOf(key) });
    return write(key.email, 'Sign in to Masthead', ['Sign in:', link]);
  }
  const order = await orders.find(about.orderId);
  if (order === null || order.email === null || order.status !== 'paid') return null;
  const target = { orderId: order.id };
  const signIn = ['Sign in on another device, with a link of its own:', await linkTo(target)];
  const thanks = `Thank you for your order ${order.id}. It is paid.`;
  if (!isClaimable(order)) return write(order.email, 'Your Masthead plan', [thanks, ...signIn]);
  return write(order.email, 'Your Masthead key', [thanks, 'Get your key:', await linkTo(target), ...signIn]);
}
