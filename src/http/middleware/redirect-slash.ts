import type { RequestHandler } from 'express';
import { queryOf } from '../parse/read-parameters.ts';

/**
 * Sends `/plans/` to `/plans`: pages name their files and links relative to the root, so that they work below any prefix,
 * and a slash at the end would move that root.
 */
export const redirectSlash: RequestHandler = (req, res, next) => {
  if (!req.path.endsWith('/') || req.path === '/') {
    next();
    return;
  }
  const query = queryOf(req.originalUrl);
  const path = req.originalUrl.slice(0, req.originalUrl.length - query.length);
  res.redirect(308, `../${path.split('/').at(-2) ?? ''}${query}`);
};
