import type { RequestHandler } from 'express';
import type { Order } from '#domain/plans/order.ts';
import type { PaymentEffect, PaymentEvent } from '#domain/plans/payment-event.ts';
import { Problem } from '#domain/problem.ts';
import type { OrderStore } from '#ports/order-store.ts';
import { receivePayment } from '#usecases/receive-payment.ts';
import type { AppDeps } from '../app-deps.ts';
import { isSandboxAction, sandboxActions, sandboxPage, sandboxPath, sandboxPolicy } from '../present/sandbox-page.ts';

/** GET /sandbox/{order}: the page on which a test payment is made. */
export function showSandbox({ orders, publicUrl }: AppDeps): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const order = await findOrder(orders, req.params.id);
    res
      .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': sandboxPolicy })
      .type('html')
      .send(sandboxPage(order, publicUrl));
  };
}

/** POST /sandbox/{order}/{action}: does to the order what an event of a payment provider would, then shows the page. */
export function actInSandbox(deps: AppDeps): RequestHandler<{ id: string; action: string }> {
  return async (req, res) => {
    const { id, action } = req.params;
    if (!isSandboxAction(action)) {
      throw new Problem('not_found', `This action does not exist. Use ${Object.keys(sandboxActions).join(', ')}.`);
    }
    const order = await findOrder(deps.orders, id);
    const at = deps.now();
    await receivePayment(deps, eventOf(order, sandboxActions[action].effect, at), at);
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
    at: at.toISOString(),
  };
}

async function findOrder(orders: OrderStore, id: string): Promise<Order> {
  const order = await orders.find(id);
  if (order === null) throw new Problem('order_not_found', 'No order has this id.');
  return order;
}
