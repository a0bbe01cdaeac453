import { createHash } from 'node:crypto';
import type { Order } from '#domain/plans/order.ts';
import type { PaymentEffect } from '#domain/plans/payment-event.ts';

/** What a tester can do, in the order of the page, and what that means for an order. */
export const sandboxActions = {
  pay: { effect: 'paid', label: 'Pay (test)' },
  decline: { effect: 'failed', label: 'Fail the payment' },
  expire: { effect: 'expired', label: 'Expire the checkout' },
  refund: { effect: 'refunded', label: 'Refund' },
  dispute: { effect: 'disputed', label: 'Dispute' },
} as const satisfies Record<string, { effect: PaymentEffect; label: string }>;

export type SandboxAction = keyof typeof sandboxActions;

export function isSandboxAction(text: string): text is SandboxAction {
  return Object.hasOwn(sandboxActions, text);
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
strong.test { display: block; padding: .75rem 1rem; border: .2rem dashed; }
button { font: inherit; padding: .5rem 1rem; margin-bottom: .75rem; }`;
const styleHash = createHash('sha256').update(style).digest('base64');

/** Lets the page have its own style and post its own forms, nothing else. */
export const sandboxPolicy = `default-src 'none'; style-src 'sha256-${styleHash}'; form-action 'self'; frame-ancestors 'none'`;

/** The path of an order's page, as browsers see it. */
export function sandboxPath(orderId: string, publicUrl: string): string {
  return `${basePath(publicUrl)}/sandbox/${orderId}`;
}

function basePath(publicUrl: string): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}

/** The page on which a test payment is made: one form an action, no script. */
export function sandboxPage(order: Order, publicUrl: string): string {
  const path = sandboxPath(order.id, publicUrl);
  const forms = Object.entries(sandboxActions).map(
    ([action, { label }]) => `<form method="post" action="${path}/${action}"><button>${label}</button></form>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Test payment (sandbox) – Masthead</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Test payment</h1>
<p><strong class="test">This is a test sandbox. No money moves and no card is needed.</strong></p>
<dl>
<dt>Order</dt><dd>${order.id}</dd>
<dt>Plan</dt><dd>${order.tier}, ${order.days} days</dd>
<dt>Price</dt><dd>${formatPrice(order)}</dd>
<dt>Status</dt><dd>${order.status}${order.suspendedAt === null ? '' : ', disputed'}</dd>
</dl>
${order.status === 'paid' ? `<p>The payment is recorded. <a href="${basePath(publicUrl)}/claim?order_id=${order.id}">Get your key</a></p>\n` : ''}<h2>What should happen?</h2>
${forms.join('\n')}
</main>
</body>
</html>
`;
}

function formatPrice({ price, currency }: Order): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(price / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}
