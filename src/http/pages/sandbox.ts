import type { RequestHandler } from 'express';
import type { Order, OrderStore, PaymentEffect, PaymentEvent } from '#accounts/order.ts';
import { receivePayment } from '#accounts/purchase.ts';
import { Problem } from '#src/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { basePath, escapeHtml, hashSource, htmlPage } from './page.ts';

const sandboxActions = new Map<string, { effect: PaymentEffect; label: string }>([
  ['pay', { effect: 'paid', label: 'Pay (test)' }],
  ['decline', { effect: 'failed', label: 'Fail the payment' }],
  ['expire', { effect: 'expired', label: 'Expire the checkout' }],
  ['refund', { effect: 'refunded', label: 'Refund' }],
  ['dispute', { effect: 'disputed', label: 'Dispute' }],
]);

export function handleSandboxPage({ orders, publicUrl }: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const order = await findOrder(orders, req.params.id);
    res
      .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': sandboxPolicy })
      .type('html')
      .send(sandboxPage(order, publicUrl));
  };
}

/** POST /sandbox/{order}/{action}: applies what a payment provider's event would, then shows the page. */
export function handleSandboxAction(deps: AppDeps): RequestHandler<{ id: string; action: string }> {
  return async (req, res) => {
    const { id, action } = req.params;
    const chosen = sandboxActions.get(action);
    if (chosen === undefined) {
      throw new Problem('not_found', `This action does not exist. Use ${[...sandboxActions.keys()].join(', ')}.`);
    }
    const order = await findOrder(deps.orders, id);
    const at = deps.now();
    await receivePayment(deps, eventOf(order, chosen.effect, at), at);
    res.set('Cache-Control', 'no-store').redirect(303, sandboxPath(order.id, deps.publicUrl));
  };
}

function eventOf({ id, checkoutReference, currency, price }: Order, effect: PaymentEffect, at: Date): PaymentEvent {
  const payment = `sandbox_${id}`;
  const isOfPayment = effect === 'refunded' || effect === 'disputed';
  const checkout = { reference: checkoutReference, currency, subtotal: price, unpaid: effect === 'paid' ? 0 : price };
  return {
    id: `${payment}_${effect}`,
    effect,
    orderId: id,
    checkout: isOfPayment ? null : checkout,
    payment,
    customer: null,
    at: at.toISOString(),
  };
}

async function findOrder(orders: OrderStore, id: string): Promise<Order> {
  const order = await orders.find(id);
  if (order === null) throw new Problem('order_not_found', 'No order has this id.');
  return order;
}

const style = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
strong.test { display: block; padding: .75rem 1rem; border: .2rem dashed; }
dd { margin: 0 0 .5rem; overflow-wrap: anywhere; }
button { font: inherit; padding: .5rem 1rem; margin-bottom: .75rem; }`;

const sandboxPolicy = `default-src 'none'; style-src ${hashSource(style)}; form-action 'self'; frame-ancestors 'none'`;

function sandboxPath(orderId: string, publicUrl: string): string {
  return `${basePath(publicUrl)}/sandbox/${orderId}`;
}

function sandboxPage(order: Order, publicUrl: string): string {
  const path = sandboxPath(order.id, publicUrl);
  const forms = [...sandboxActions].map(
    ([action, { label }]) => `<form method="post" action="${path}/${action}"><button>${label}</button></form>`,
  );
  return htmlPage({
    title: 'Test payment (sandbox) – Masthead',
    head: ['<meta name="robots" content="noindex">', `<style>${style}</style>`],
    body: `<main>
<h1>Test payment</h1>
<p><strong class="test">This is a test sandbox. No money moves and no card is needed.</strong></p>
<dl>
<dt>Order</dt><dd>${order.id}</dd>
<dt>Plan</dt><dd>${order.tier}, ${order.days} days</dd>
<dt>Price</dt><dd>${formatPrice(order)}</dd>
<dt>Status</dt><dd>${order.status}${order.suspendedAt === null ? '' : ', disputed'}</dd>
</dl>
${order.status === 'paid' ? `<p>The payment is recorded. ${wayOn(order, publicUrl)}</p>\n` : ''}<h2>What should happen?</h2>
${forms.join('\n')}
</main>`,
  });
}

function wayOn({ id, returnUrl, renewsHash }: Order, publicUrl: string): string {
  if (returnUrl !== undefined) return `<a href="${escapeHtml(returnUrl)}">Go on</a>`;
  const label = renewsHash === null ? 'Get your key' : 'See your renewal';
  return `<a href="${basePath(publicUrl)}/claim?order_id=${id}">${label}</a>`;
}

function formatPrice({ price, currency }: Order): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.format(price / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 0));
}
