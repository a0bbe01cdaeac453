import type { AppDeps } from '#http/app-deps.ts';
import { createOpenApi } from '#http/openapi.ts';
import { listEndpoints } from '#http/routes.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { openLeadTools } from '#src/lead-tools/open-tool.ts';
import { createStripeClient, createStripeProvider } from '#src/payments/stripe-provider.ts';
import { loadConfig } from '#src/settings/config.ts';

export const snapshotPath = new URL('../../docs/openapi.json', import.meta.url);
export const versionsPath = new URL('../../docs/api-versions.md', import.meta.url);

const publicUrl = 'https://masthead.example';

/** The document as docs/openapi.json keeps it: of a service that has everything, at an invented place. */
export function documentForSnapshot(): string {
  const config = loadConfig({});
  const stripe = createStripeClient('sk_test_none', null);
  const payments = createStripeProvider({ stripe, webhookSecret: 'whsec_none', publicUrl, warn() {} });
  const deps = {
    publicUrl,
    contactEmail: null,
    plans: config.plans,
    rateLimits: config.rateLimits,
    returnOrigins: config.returnOrigins,
    formats: listFormats(leadTools),
    leadTools: openLeadTools(config),
    payments,
  } as unknown as AppDeps;
  const document = createOpenApi(deps, listEndpoints(deps));
  return `${JSON.stringify(document, null, 2)}\n`;
}
