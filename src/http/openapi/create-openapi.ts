import { createDocument, type ZodOpenApiPathsObject } from 'zod-openapi';
import type { AppDeps } from '../app-deps.ts';
import { type Api, createApi } from './api.ts';

/**
 * The version of the HTTP API. An addition increases the second number and has a note in docs/api-versions.md; nothing
 * documented is removed within one major version. test/openapi/ checks that.
 */
export const interfaceVersion = '1.1.0';

const introduction = `Search and export of news outlets, podcasts and newsletters with their contact emails.

**Keys.** You can search without a key; emails are then masked. Send a key in the header \`Authorization: Bearer <key>\`, never in a URL.

**Errors** have the type application/problem+json (RFC 9457). Programs should check \`code\`; see [all codes](docs/errors). An unknown path gets \`not_found\` (404), an unsupported method \`method_not_allowed\` (405, with the header Allow). A service with the default sandbox for payments answers other host names than those of its own machine with \`misdirected_request\` (421).

**Parameters** are read without the white space around them: what ECMAScript's \`trim\` removes, which is line breaks, tabs, every kind of space, and U+FEFF. Case does not count in words of a closed list. Parameters that are then empty count as absent. In a body, this holds for texts without a closed list; optional ones may also be null. Unknown parameters are errors, with a suggested correction.

**Rate limits** apply per minute and key, or per address without a key. Every answer under /api/v1 has the headers RateLimit-Limit, RateLimit-Remaining and RateLimit-Reset.`;

export type OpenApiDeps = Pick<AppDeps, 'publicUrl' | 'contactEmail' | 'plans' | 'formats' | 'leadTools'>;

export type OpenApiDocument = ReturnType<typeof createDocument>;

/** The OpenAPI 3.1 document of the service, generated from the schemas that parse requests and shape answers. */
export function createOpenApi(
  { publicUrl, contactEmail, ...variants }: OpenApiDeps,
  describePaths: (api: Api) => ZodOpenApiPathsObject,
): OpenApiDocument {
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Masthead',
      version: interfaceVersion,
      description: introduction,
      ...(contactEmail !== null && { contact: { email: contactEmail } }),
    },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'Media', description: 'Search, count and export.' },
      { name: 'Plans', description: 'Plans, purchases and your account.' },
      { name: 'Operations', description: 'For operators of the service.' },
    ],
    paths: describePaths(createApi(variants)),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'An API key, such as mh_…' },
      },
    },
  });
  for (const path of Object.values(document.paths ?? {})) {
    for (const { parameters = [] } of [path.get, path.post].filter((operation) => operation !== undefined)) {
      parameters.forEach(completeParameter);
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
  const takesAnyText = [schema.type].flat().includes('string') && !('anyOf' in schema || 'pattern' in schema);
  if (parameter.in === 'query' && !takesAnyText) parameter.allowEmptyValue = true;
  parameter.description ??= schema.description ?? '';
  delete schema.description;
}
