import cors from 'cors';
import type { RequestHandler } from 'express';

const handleCors = cors({
  origin: '*',
  methods: ['GET', 'HEAD'],
  allowedHeaders: ['Authorization', 'If-None-Match', 'X-Request-Id'],
  exposedHeaders: [
    'Content-Disposition',
    'ETag',
    'Link',
    'RateLimit',
    'RateLimit-Limit',
    'RateLimit-Policy',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'WWW-Authenticate',
    'X-Excluded-Count',
    'X-Request-Id',
    'X-Total-Count',
  ],
  maxAge: 3600,
  optionsSuccessStatus: 204,
});

/** Lets the pages that `requireOwnOrigin` admits send messages to /mcp. Answers preflights with 204. */
export const allowMessages: RequestHandler = cors({
  origin: true,
  methods: ['POST'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Mcp-Method', 'Mcp-Name', 'Mcp-Protocol-Version', 'X-Request-Id'],
  exposedHeaders: ['RateLimit', 'RateLimit-Policy', 'Retry-After', 'WWW-Authenticate', 'X-Request-Id'],
  maxAge: 3600,
  optionsSuccessStatus: 204,
});

/** Pages of any origin may read. Answers preflights with 204. No cookies are involved. */
export const allowAnyOrigin: RequestHandler = (req, res, next) => {
  res.set('Cross-Origin-Resource-Policy', 'cross-origin');
  handleCors(req, res, next);
};

/**
 * The answer depends on the caller, so caches must not keep it. Searches, facets and records relax this once they have
 * an answer with an ETag.
 */
export const forbidCaching: RequestHandler = (_req, res, next) => {
  res.set({ 'Cache-Control': 'private, no-store', Vary: 'Authorization' });
  next();
};
