import { isClaimable } from './change-order.ts';
import type { OrderStore } from './order.ts';
import { mailedCode, type SignInCodes, type SignInTarget } from './sign-in-codes.ts';
import { currentSecretOf, type KeyStore } from './stored-key.ts';

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
