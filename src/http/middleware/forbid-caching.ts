import type { RequestHandler } from 'express';

/**
 * The answer depends on who asks, so nothing on the way keeps it. Search and facets say otherwise once they have
 * an answer that may be asked for again by its ETag.
 */
export const forbidCaching: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-store', Vary: 'Authorization' });
  next();
};
