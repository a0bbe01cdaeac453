import type { RequestHandler } from 'express';
import { handleAsset } from '../etags.ts';
import { createOpenApi, type OpenApiDeps } from '../openapi/create-openapi.ts';

/** GET /openapi.json: the whole API, for programs. */
export function handleOpenApi(deps: OpenApiDeps, describeApi: Parameters<typeof createOpenApi>[1]): RequestHandler {
  const headers = { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
  return handleAsset(() => JSON.stringify(createOpenApi(deps, describeApi)), 'json', headers);
}
