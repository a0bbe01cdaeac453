import type { RequestHandler } from 'express';

/**
 * The answer depends on the caller, so caches must not keep it. Search and facets relax this once they have an answer
 * with an ETag.
 */
export const forbidCaching: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-store', Vary: 'Authorization' });
  next();
};
