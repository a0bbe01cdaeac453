import type { RequestHandler } from 'express';
import type { Order } from '#domain/plans/order.ts';
import { Problem } from '#domain/problem.ts';
import type { OrderStore } from '#ports/order-store.ts';
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
export function actInSandbox({ orders, publicUrl, now }: AppDeps): RequestHandler<{ id: string; action: string }> {
  return async (req, res) => {
    const { id, action } = req.params;
    if (!isSandboxAction(action)) {
      throw new Problem('not_found', `There is no such action; there are ${Object.keys(sandboxActions).join(', ')}.`);
    }
    const { id: orderId } = await findOrder(orders, id);
    const { effect } = sandboxActions[action];
    const payment = `sandbox_${orderId}`;
    const at = now();
    await orders.receive({ id: `${payment}_${effect}`, effect, orderId, payment, at: at.toISOString() }, at);
    res.set('Cache-Control', 'no-store').redirect(303, sandboxPath(orderId, publicUrl));
  };
}

async function findOrder(orders: OrderStore, id: string): Promise<Order> {
  const order = await orders.find(id);
  if (order === null) throw new Problem('order_not_found', 'There is no order with this id.');
  return order;
}
