import type { RequestHandler } from 'express';

/**
 * The answer depends on who asks, so nothing on the way keeps it. Search and facets say otherwise once they have
 * an answer that may be asked for again by its ETag.
 */
export const forbidCaching: RequestHandler = (req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-store', Vary: 'Authorization' });
  // Express answers `*` with an empty 304 even where there is no ETag: a key that is given once would be lost by it.
  if (req.headers['if-none-match']?.trim() === '*') delete req.headers['if-none-match'];
  next();
};
