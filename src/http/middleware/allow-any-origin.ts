import cors from 'cors';

/** Pages of any origin may read; preflights are answered here, with 204. No cookies are ever involved. */
export const allowAnyOrigin = cors({
  origin: '*',
  methods: ['GET', 'HEAD'],
  allowedHeaders: ['Authorization', 'If-None-Match', 'X-Request-Id'],
  exposedHeaders: [
    'Content-Disposition',
    'ETag',
    'Link',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
    'X-Total-Count',
  ],
  maxAge: 3600,
  optionsSuccessStatus: 204,
});
