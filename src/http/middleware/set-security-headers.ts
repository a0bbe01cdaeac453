import type { RequestHandler } from 'express';

/** Answers are data: no browser guesses their type, frames them or takes scripts from them. */
export const setSecurityHeaders: RequestHandler = (_req, res, next) => {
  res.set({
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  });
  next();
};
