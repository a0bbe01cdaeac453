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
  const router = Router({ caseSensitive: true });
  const onlyGet = refuseMethod('GET, HEAD, OPTIONS');

  router.use(
    '/api/v1',
    forbidCaching,
    meterRequests({ ...deps, allowances: createAllowances(deps.rateLimits) }), // counts, refuses nothing
    allowAnyOrigin, // ends every OPTIONS request with 204
  );

  router
    .route('/api/v1/search')
    .get(
      admit, // 429, 401
      answerSearch(deps), // 400
    )
    .all(onlyGet);

  router
    .route('/api/v1/facets')
    .get(
      admit, // 429, 401
      answerFacets(deps), // 400
    )
    .all(onlyGet);

  router
    .route('/api/v1/records/:id')
    .get(
      admit, // 429, 401
      answerRecord(deps), // 400, 404
    )
    .all(onlyGet);

  router
    .route('/api/v1/me')
    .get(
      admit, // 429, 401
      requireKey, // 401
      answerAccount(deps), // 400
    )
    .all(onlyGet);

  router.route('/healthz').get(answerHealth).all(refuseMethod('GET, HEAD'));
  router.route('/readyz').get(answerReadiness(deps)).all(refuseMethod('GET, HEAD'));

  router.use(refusePath);
  return router;
}
