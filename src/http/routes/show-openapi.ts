import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { createOpenApi } from '../openapi/create-openapi.ts';
import { keepAsset, makeAsset, sendAsset } from '../present/asset.ts';

/** GET /openapi.json: the whole interface, for programs. Made with the first request, and kept. */
export function showOpenApi({ publicUrl, contactEmail, readStripeEvent }: AppDeps): RequestHandler {
  const describe = () => createOpenApi({ publicUrl, contactEmail, hasStripe: readStripeEvent !== null });
  const makeDocument = keepAsset(async () => makeAsset(JSON.stringify(describe()), 'json'));
  return async (req, res) => {
    const asset = await makeDocument();
    res.set({ 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' });
    sendAsset(req, res, asset);
  };
}
