import type { PaymentProvider } from '#accounts/purchase.ts';

/**
 * Test payments: the buyer pays on a page of this service, which records the payment itself before it answers, so there
 * is never news to ask for.
 */
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
