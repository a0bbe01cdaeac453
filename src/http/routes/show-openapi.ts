import type { RequestHandler } from 'express';
import type { AppDeps } from '../app-deps.ts';
import { createOpenApi } from '../openapi/create-openapi.ts';
import { type Asset, makeAsset, sendAsset } from '../present/asset.ts';

/** GET /openapi.json: the whole interface, for programs. Made with the first request, and kept. */
export function showOpenApi({ publicUrl, contactEmail, readStripeEvent }: AppDeps): RequestHandler {
  let kept: Promise<Asset> | undefined;
  const make = () =>
    makeAsset(JSON.stringify(createOpenApi({ publicUrl, contactEmail, hasStripe: readStripeEvent !== null })), 'json');
  return async (req, res) => {
    kept ??= make();
    const asset = await kept;
    res.set({ 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' });
    sendAsset(req, res, asset);
  };
}
