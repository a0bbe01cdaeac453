import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyPayments, askAgain, claimKey } from '#accounts/change-order.ts';
import type { CheckoutState, Order, PaymentEffect, PaymentEvent } from '#accounts/order.ts';
import { claimTokenOf, isToken } from '#accounts/pepper.ts';
import { readCases } from '#testing/cases.ts';
import { madeCheckoutEvent, madeKey, madeOrder, madePaymentEvent } from '#testing/made-order.ts';

const now = new Date('2026-03-01T10:06:00.000Z');

/** An event of the order's own checkout, or of its own payment. */
function ownEvent(order: Order, effect: PaymentEffect): PaymentEvent {
  return effect === 'refunded' || effect === 'disputed'
    ? madePaymentEvent(effect, `pi_${order.id}`)
    : madeCheckoutEvent(order, { effect });
}

function orderAfter(order: Order, ...effects: PaymentEffect[]): Order {
  const events = effects.map((effect) => ownEvent(order, effect));
  return applyPayments(order, events, now).order;
}

describe('an order', () => {
  it.each(
    readCases<[effects: PaymentEffect[], status: Order['status']]>(new URL('payment-effects.tsv', import.meta.url)),
  )('after %j is %s', (effects, status) => {
    expect(orderAfter(madeOrder(), ...effects).status).toBe(status);
  });

  it('ends the same whatever the order in which events arrive, and however often', () => {
    const effects = fc.constantFrom<PaymentEffect>('paid', 'failed', 'expired', 'refunded', 'disputed', 'none');
    const order = madeOrder();
    fc.assert(
      fc.property(fc.array(effects, { maxLength: 6 }), fc.infiniteStream(fc.nat(5)), (some, picks) => {
        const shuffled = some.toSorted(() => (picks.next().value ?? 0) - 2);
        const once = orderAfter(order, ...some);
        expect(orderAfter(order, ...shuffled)).toEqual(once);
        expect(orderAfter(order, ...some, ...shuffled)).toEqual(once);
      }),
    );
  });

  it('ends the same when events arrive one at a time and unmatched ones are held', () => {
    const effects = fc.constantFrom<PaymentEffect>('paid', 'failed', 'expired', 'refunded', 'disputed', 'none');
    const order = madeOrder();
    fc.assert(
      fc.property(fc.array(effects, { maxLength: 6 }), (some) => {
        let [after, held] = [order, [] as PaymentEvent[]];
        for (const effect of some) {
          held.push(ownEvent(order, effect));
          const applied = applyPayments(after, held, now);
          after = applied.order;
          held = held.filter(({ id }) => !applied.counted.includes(id));
        }
        expect(after).toEqual(orderAfter(order, ...some));
      }),
    );
  });

  it.each<[string, Partial<CheckoutState>]>([
    ['of another checkout', { reference: 'cs_other' }],
    ['of no name', { reference: '' }],
    ['in another currency', { currency: 'JPY' }],
    ['in no currency', { currency: null }],
    ['for less', { subtotal: 4899 }],
    ['for more', { subtotal: 4901 }],
    ['for nothing', { subtotal: 0 }],
    ['for no amount', { subtotal: null }],
    ['that leaves something to pay', { unpaid: 1 }],
    ['of which nobody knows what is left to pay', { unpaid: null }],
  ])('is not paid by a payment %s, even if it names the order', (_what, difference) => {
    const order = madeOrder();
    const paid = madeCheckoutEvent(order);
    const checkout = { ...(paid.checkout as CheckoutState), ...difference };
    expect(applyPayments(order, [{ ...paid, checkout }], now)).toEqual({ order, counted: [] });
    expect(applyPayments(order, [paid], now)).toMatchObject({ order: { status: 'paid' }, counted: [paid.id] });
  });

  it('is not paid by a payment event without a checkout', () => {
    const order = madeOrder();
    const paid = { ...madeCheckoutEvent(order), checkout: null };
    expect(applyPayments(order, [paid], now).order).toBe(order);
  });

  it('is refunded and disputed only by its own payment', () => {
    const pending = madeOrder();
    const paid = orderAfter(pending, 'paid');
    const free = { ...paid, paymentReference: null };
    for (const effect of ['refunded', 'disputed', 'none'] as const) {
      const elsewhere = madePaymentEvent(effect, 'pi_elsewhere', { orderId: paid.id });
      const unnamed = madePaymentEvent(effect, null, { orderId: paid.id });
      for (const order of [pending, paid, free]) {
        expect(applyPayments(order, [elsewhere, unnamed], now), effect).toEqual({ order, counted: [] });
      }
      const own = ownEvent(paid, effect === 'none' ? 'refunded' : effect);
      expect(applyPayments(paid, [own], now).counted, effect).toEqual([own.id]);
    }
  });

  it('gives a key only when it is paid, once, and not while the payment is disputed', () => {
    const paid = orderAfter(madeOrder({ tier: 'premium' }), 'paid');
    const key = madeKey();
    const claimed = claimKey(paid, key, now);
    expect(claimed).toEqual({
      order: { ...paid, keyClaimedAt: now.toISOString(), keyHash: key.hash },
      issued: {
        ...key,
        plan: { tier: 'premium', expiresAt: paid.planExpiresAt },
        email: paid.email,
        orderId: paid.id,
        createdAt: now.toISOString(),
        revokedAt: null,
      },
    });
    expect(claimed && claimKey(claimed.order, madeKey(), now)).toBeNull();
    for (const effects of [[], ['failed'], ['expired'], ['paid', 'refunded'], ['paid', 'disputed']] as const) {
      expect(claimKey(orderAfter(madeOrder(), ...effects), madeKey(), now), effects.join()).toBeNull();
    }
  });

  it('is looked up at most every five seconds, and only while it is pending', () => {
    const asked = askAgain(madeOrder(), now)?.order;
    expect(asked?.askedAt).toBe(now.toISOString());
    expect(asked && askAgain(asked, new Date(now.getTime() + 4_999))).toBeNull();
    expect(asked && askAgain(asked, new Date(now.getTime() + 5_000))).not.toBeNull();
    expect(askAgain(orderAfter(madeOrder(), 'paid'), now)).toBeNull();
  });
});

describe('a claim token', () => {
  it('is derived from the order and the pepper as the contract says, and matches nothing else', () => {
    const token = claimTokenOf('ord_1', 'pepper');
    // printf 'claim:ord_1' | openssl dgst -sha256 -hmac pepper -binary | base64 | tr '+/' '-_' | tr -d =
    expect(token).toBe('lvoTsWWnkN-OgW8U8gb72XPsSz2s2R_4dxtmeu7ov-0');
    expect(isToken(token, claimTokenOf('ord_1', 'pepper'))).toBe(true);
    for (const [id, pepper] of [
      ['ord_2', 'pepper'],
      ['ord_1', 'other'],
    ] as const) {
      expect(isToken(token, claimTokenOf(id, pepper))).toBe(false);
    }
    for (const wrong of ['', `${token}x`, token.slice(1), 'é'.repeat(43)]) {
      expect(isToken(wrong, claimTokenOf('ord_1', 'pepper'))).toBe(false);
    }
  });
});
