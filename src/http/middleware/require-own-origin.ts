import type { RequestHandler } from 'express';
import { Problem } from '#src/problem.ts';
import { isLoopbackHost } from '#text/hosts.ts';

/**
 * Refuses requests that a browser sends for a page of another site, as the Model Context Protocol demands: a page can
 * make its own name resolve to a server in its visitor's network (DNS rebinding). Admitted are pages of the service and
 * of the visitor's own machine, such as inspectors; other programs send no Origin.
 */
export function requireOwnOrigin(publicUrl: string): RequestHandler {
  const own = new URL(publicUrl).origin;
  return (req, _res, next) => {
    const origin = req.get('Origin');
    if (origin !== undefined && origin !== own && !isLoopbackOrigin(origin)) {
      throw new Problem(
        'origin_not_allowed',
        `Pages of other sites may not use /mcp. Use it from a program, or from ${own}.`,
      );
    }
    next();
  };
}

function isLoopbackOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && /^https?:$/.test(url.protocol) && isLoopbackHost(url.hostname);
}
