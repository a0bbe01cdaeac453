import { createDocument, type ZodOpenApiObject } from 'zod-openapi';
import manifest from '../../../package.json' with { type: 'json' };
import type { AppDeps } from '../app-deps.ts';
import { type Api, createApi } from './api.ts';

/**
 * The version of the HTTP API is that of Masthead. An addition increases the second number and has a note in
 * docs/api-versions.md; nothing documented is removed within one major version. test/openapi/ checks that.
 */
export const interfaceVersion = manifest.version;

const introduction = `Search and export of news outlets, podcasts and newsletters with their contact emails.

**Keys.** You can search without a key; emails are then masked. Send a key in the header \`Authorization: Bearer <key>\`, never in a URL.

**Errors** have the type application/problem+json (RFC 9457). Programs should check \`code\`; see [all codes](docs/errors). An unknown path gets \`not_found\` (404), an unsupported method \`method_not_allowed\` (405, with the header Allow). A service with the default sandbox for payments answers other host names than those of its own machine with \`misdirected_request\` (421).

**Parameters** are read without the white space around them: what ECMAScript's \`trim\` removes, which is line breaks, tabs, every kind of space, and U+FEFF. Case does not count in words of a closed list. Parameters that are then empty count as absent. In a body, this holds for texts without a closed list; optional ones may also be null. Unknown parameters are errors, with a suggested correction.

**Rate limits** apply per minute and key, or per address without a key. Every answer under /api/v1 has the headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11), and the older RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.

**Models** can call the service at \`/mcp\`, by the Model Context Protocol over streamable HTTP: the same searches, counts, records and lookups, with the same keys, masks and limits. Errors are JSON-RPC responses there, with the error of this API in \`data\`. Pages of other sites get \`origin_not_allowed\` (403).`;

export type OpenApiDeps = Pick<AppDeps, 'publicUrl' | 'contactEmail' | 'plans' | 'formats' | 'leadTools'>;

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of the service, generated from the schemas that parse requests and shape answers. */
export function createOpenApi(
  { publicUrl, contactEmail, ...variants }: OpenApiDeps,
  describeApi: (api: Api) => Pick<ZodOpenApiObject, 'paths' | 'webhooks'>,
): OpenApiDocument {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Masthead',
      version: interfaceVersion,
      description: introduction,
      license: {
        name: 'Proprietary: every use needs written permission of the owner',
        identifier: 'LicenseRef-Masthead',
      },
      contact: {
        name: 'The operator of this service',
        url: publicUrl,
        ...(contactEmail !== null && { email: contactEmail }),
      },
    },
    externalDocs: { description: 'The reference for people, and every error code.', url: `${publicUrl}/docs` },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'Media', description: 'Search, count and export.' },
      { name: 'Lists', description: 'The lists of your account.' },
      { name: 'Plans', description: 'Plans, purchases and your account.' },
      { name: 'Operations', description: 'For operators of the service.' },
    ],
    ...describeApi(createApi(variants)),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, such as mh_…' },
      },
    },
  });
  for (const { get, post, patch, delete: remove } of Object.values(document.paths ?? {})) {
    for (const operation of [get, post, patch, remove].filter((described) => described !== undefined)) {
      operation.parameters?.forEach(completeParameter);
    }
  }
  return document;
}

type Parameter = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['parameters']>[number];

/** Readers expect a description next to the schema, not in it. An empty query parameter counts as absent. */
function completeParameter(parameter: Parameter): void {
  if (!('in' in parameter)) return;
  const { schema } = parameter;
  if (typeof schema !== 'object' || !('type' in schema)) return;
  if ('items' in schema && typeof schema.items === 'object') schema.items = withoutRepeats(schema.items);
  const takesAnyText = [schema.type].flat().includes('string') && !('anyOf' in schema || 'pattern' in schema);
  if (parameter.in === 'query' && !takesAnyText) parameter.allowEmptyValue = true;
  parameter.description ??= schema.description ?? '';
  delete schema.description;
}

/** A list of any text has its one form twice: as a known value and as any text. */
function withoutRepeats<Items extends object>(items: Items): Items {
  if (!('anyOf' in items) || !Array.isArray(items.anyOf)) return items;
  const [only, ...others] = new Map(items.anyOf.map((form) => [JSON.stringify(form), form])).values();
  return others.length === 0 ? only : items;
}
