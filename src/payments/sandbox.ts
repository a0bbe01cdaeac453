import type { PaymentProvider } from '#accounts/purchase.ts';

/** Test payments. A page of this service records each payment itself, so `look` never has news. */
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
