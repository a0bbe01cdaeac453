import { createOpenApi } from '#http/openapi/create-openapi.ts';

export const snapshotPath = new URL('../../docs/openapi.json', import.meta.url);
export const versionsPath = new URL('../../docs/api-versions.md', import.meta.url);

/** The document as docs/openapi.json keeps it: of a service that has everything, at an invented place. */
export function documentForSnapshot(): string {
  const document = createOpenApi({ publicUrl: 'https://masthead.example', contactEmail: null, hasStripe: true });
  return `${JSON.stringify(document, null, 2)}\n`;
}
