import { type RequestHandler, Router } from 'express';
import { createAllowances } from './allowances.ts';
import type { AppDeps } from './app-deps.ts';
import { admit, requireKey, requirePremium } from './middleware/admit.ts';
import { allowAnyOrigin } from './middleware/allow-any-origin.ts';
import { forbidCaching } from './middleware/forbid-caching.ts';
import { exempt, meterAddress, meterRequests } from './middleware/meter-requests.ts';
import { refuseMethod, refusePath } from './middleware/refuse.ts';
import { readJsonBody, readRawBody } from './parse/read-json-body.ts';
import { answerAccount } from './routes/answer-account.ts';
import { answerCheckout } from './routes/answer-checkout.ts';
import { answerExport } from './routes/answer-export.ts';
import { answerFacets } from './routes/answer-facets.ts';
import { answerHealth, answerReadiness } from './routes/answer-health.ts';
import { answerOrder } from './routes/answer-order.ts';
import { answerPlans } from './routes/answer-plans.ts';
import { answerPush } from './routes/answer-push.ts';
import { answerRecord } from './routes/answer-record.ts';
import { answerSearch } from './routes/answer-search.ts';
import { answerStripeEvent } from './routes/answer-stripe-event.ts';
import { actInSandbox, showSandbox } from './routes/serve-sandbox.ts';
import { serveWebFile } from './routes/serve-web-file.ts';
import { showErrors } from './routes/show-errors.ts';
import { showOpenApi } from './routes/show-openapi.ts';
import { pages, showPage } from './routes/show-page.ts';
import { showReference } from './routes/show-reference.ts';

/**
 * Everything the service answers: each path with its steps, and beside them what they refuse. A request passes the
 * checks in the order of contract A2: 404 and 405, then 429, 401, 400, 403.
 */
export function createRoutes(deps: AppDeps): RequestHandler {
  const router = Router({ caseSensitive: true });
  const onlyGet = refuseMethod('GET, HEAD, OPTIONS');
  const onlyPost = refuseMethod('POST, OPTIONS');

  // These count and refuse nothing. What is counted by the first that it meets is not counted again.
  const metering = { ...deps, allowances: createAllowances(deps.rateLimits, deps.sharedCounter) };
  router.use(['/api/v1/checkout', '/api/v1/orders'], meterAddress(metering, 'checkout'));
  router.use('/api/v1/webhooks', exempt(metering));
  router.use(
    '/api/v1',
    forbidCaching,
    meterRequests(metering),
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
    .route('/api/v1/export')
    .get(
      admit, // 429, 401
      requireKey, // 401
      answerExport(deps), // 400, 429, 403
    )
    .all(onlyGet);

  router
    .route('/api/v1/export/push')
    .post(
      admit, // 429, 401
      requireKey, // 401
      requirePremium(deps), // 403
      readJsonBody(64), // 413, 415, 400
      answerPush(deps), // 400, 409, 422, 502
    )
    .all(onlyPost);

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

  router
    .route('/api/v1/plans')
    .get(
      admit, // 429, 401
      answerPlans(deps), // 400
    )
    .all(onlyGet);

  router
    .route('/api/v1/checkout')
    .post(
      admit, // 429
      readJsonBody(16), // 413, 415, 400
      answerCheckout(deps), // 400, 409, 502
    )
    .all(onlyPost);

  router
    .route('/api/v1/orders/:id')
    .get(
      admit, // 429
      answerOrder(deps), // 400, 404
    )
    .all(onlyGet);

  if (deps.readStripeEvent !== null) {
    router
      .route('/api/v1/webhooks/stripe')
      .post(
        readRawBody(1024), // 413, 415
        answerStripeEvent(deps, deps.readStripeEvent), // 400
      )
      .all(onlyPost);
  }

  if (deps.hasSandbox) {
    router.route('/sandbox/:id').get(showSandbox(deps)).all(refuseMethod('GET, HEAD')); // 404
    router.route('/sandbox/:id/:action').post(actInSandbox(deps)).all(refuseMethod('POST')); // 404
  }

  router.route('/').get(showPage(deps, pages.explorer)).all(refuseMethod('GET, HEAD'));
  router.route('/plans').get(showPage(deps, pages.plans)).all(refuseMethod('GET, HEAD'));
  router.route('/claim').get(showPage(deps, pages.claim)).all(refuseMethod('GET, HEAD'));
  router.route('/openapi.json').get(showOpenApi(deps)).all(refuseMethod('GET, HEAD'));
  router.route('/docs').get(showReference(deps)).all(refuseMethod('GET, HEAD'));
  router.route('/docs/errors').get(showErrors).all(refuseMethod('GET, HEAD'));
  for (const [path, file] of deps.webFiles) {
    router.route(`/${path}`).get(serveWebFile(file, path)).all(refuseMethod('GET, HEAD'));
  }
  router.route('/healthz').get(answerHealth).all(refuseMethod('GET, HEAD'));
  router.route('/readyz').get(answerReadiness(deps)).all(refuseMethod('GET, HEAD'));

  router.use(refusePath);
  return router;
}
