import { type RequestHandler, Router } from 'express';
import { createAllowances } from './allowances.ts';
import type { AppDeps } from './app-deps.ts';
import { admit, requireKey } from './middleware/admit.ts';
import { allowAnyOrigin } from './middleware/allow-any-origin.ts';
import { forbidCaching } from './middleware/forbid-caching.ts';
import { meterRequests } from './middleware/meter-requests.ts';
import { refuseMethod, refusePath } from './middleware/refuse.ts';
import { answerAccount } from './routes/answer-account.ts';
import { answerFacets } from './routes/answer-facets.ts';
import { answerHealth, answerReadiness } from './routes/answer-health.ts';
import { answerRecord } from './routes/answer-record.ts';
import { answerSearch } from './routes/answer-search.ts';

/**
 * Everything the service answers: each path with its steps, and beside them what they refuse. A request passes the
 * checks in the order of contract A2: 404 and 405, then 429, 401, 400, 403.
 */
export function createRoutes(deps: AppDeps): RequestHandler {
  const root = Router({ caseSensitive: true });
  const api = Router({ caseSensitive: true });

  root.get('/healthz', answerHealth);
  root.get('/readyz', answerReadiness(deps));
  root.all(['/healthz', '/readyz'], refuseMethod('GET, HEAD'));

  root.use(
    '/api/v1',
    forbidCaching,
    meterRequests({ ...deps, allowances: createAllowances(deps.rateLimits) }), // counts, refuses nothing
    allowAnyOrigin, // ends every OPTIONS request with 204
    api,
  );

  api.get(
    '/search',
    admit, // 429, 401
    answerSearch(deps), // 400
  );
  api.get(
    '/facets',
    admit, // 429, 401
    answerFacets(deps), // 400
  );
  api.get(
    '/records/:id',
    admit, // 429, 401
    answerRecord(deps), // 400, 404
  );
  api.get(
    '/me',
    admit, // 429, 401
    requireKey, // 401
    answerAccount(deps), // 400
  );
  api.all(['/search', '/facets', '/records/:id', '/me'], refuseMethod('GET, HEAD, OPTIONS'));

  root.use(refusePath);
  return root;
}
