import type { PaymentProvider } from '#accounts/purchase.ts';

/** Test payments: a page of this service records the payment before it answers, so there is never news to ask for. */
export function createSandbox(publicUrl: string): PaymentProvider {
  return {
    async open({ id }) {
      return { url: `${publicUrl}/sandbox/${id}`, reference: `sandbox_${id}` };
    },
    async look() {
      return [];
    },
    portalUrl: null,
    webhook: null,
    isSandbox: true,
  };
}
