import { type RequestHandler, Router } from 'express';

/** Something that will go away (docs/api-versions.md). */
export interface Deprecation {
  /** A path with everything below it, such as `/api/v1/plans`, or `/api/v1` for the whole version. */
  path: string;
  /** Since when it is deprecated. */
  since: Date;
  /** When it stops working. */
  sunset: Date;
}

/** WHAT IS DEPRECATED: the answers, and the operations in the OpenAPI document, follow from these rows. */
export const deprecations: readonly Deprecation[] = [];

/** Adds `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) to every answer of a deprecated path, errors included. */
export function announceDeprecations(rows: readonly Deprecation[]): RequestHandler {
  const router = Router({ caseSensitive: true });
  for (const { path, since, sunset } of rows) {
    router.use(path, (_req, res, next) => {
      res.set({
        Deprecation: `@${Math.floor(since.getTime() / 1000)}`,
        Sunset: sunset.toUTCString(),
      });
      next();
    });
  }
  return router;
}

/** Whether a path as OpenAPI writes it is deprecated. */
export function isDeprecated(path: string, rows: readonly Deprecation[]): boolean {
  return rows.some((row) => path === row.path || path.startsWith(`${row.path}/`));
}
