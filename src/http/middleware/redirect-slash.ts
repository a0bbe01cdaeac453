import type { RequestHandler } from 'express';

/**
 * Sends `/plans/` to `/plans`: pages name their files and links relative to the root, so that they work below any prefix,
 * and a slash at the end would move that root.
 */
export const redirectSlash: RequestHandler = (req, res, next) => {
  if (!req.path.endsWith('/') || req.path === '/') {
    next();
    return;
  }
  const [path = '', ...query] = req.originalUrl.split('?');
  const last = path.replace(/\/$/, '').split('/').at(-1) ?? '';
  res.redirect(308, [`../${last}`, ...query].join('?'));
};
