import { type RequestHandler, Router } from 'express';
import type { ZodOpenApiObject, ZodOpenApiPathsObject } from 'zod-openapi';
import type { Webhook } from '#accounts/payment-provider.ts';
import { createAllowances } from './allowances.ts';
import { describeAccount, handleAccount } from './api/account.ts';
import { describeCheckout, handleCheckout } from './api/checkout.ts';
import { describeExport, handleExport } from './api/export.ts';
import { describeFacets, handleFacets } from './api/facets.ts';
import { describeHealth, describeReadiness, handleHealth, handleReadiness } from './api/health.ts';
import { describeLinks, handleLinks } from './api/links.ts';
import { describeList, handleList } from './api/list-page.ts';
import {
  describeDeletedList,
  describeListRecords,
  describeLists,
  describeNewList,
  describeRenamedList,
  handleDeletedList,
  handleListRecords,
  handleLists,
  handleNewList,
  handleRenamedList,
} from './api/lists.ts';
import { describeLookup, handleLookup } from './api/lookup.ts';
import { handleMcp } from './api/mcp.ts';
import { handleOpenApi } from './api/openapi.ts';
import { describeOrder, handleOrder } from './api/order.ts';
import { describePaymentEvent, describeSentEvent, handlePaymentEvent } from './api/payment-event.ts';
import { describePlans, handlePlans } from './api/plans.ts';
import { describePush, handlePush } from './api/push.ts';
import { describeRecord, handleRecord } from './api/record.ts';
import { describeRotateKey, handleRotateKey } from './api/rotate-key.ts';
import { handleSandboxAction, handleSandboxPage } from './api/sandbox.ts';
import { describeSearch, handleSearch } from './api/search.ts';
import {
  describeDeletedSession,
  describeEndedSession,
  describeNewSession,
  describeSessions,
  handleDeletedSession,
  handleEndedSession,
  handleNewSession,
  handleSessions,
  requireOwnPage,
} from './api/session.ts';
import { describeSimilar, handleSimilar } from './api/similar.ts';
import { handleModelGuide, handleRobots, handleSecurityFile } from './api/site-files.ts';
import { describeUsage, handleUsage } from './api/usage.ts';
import type { AppDeps } from './app-deps.ts';
import { admit, refuseMethod, refuseMethodsBut, refusePath, requireKey, requirePushRight } from './middleware/admit.ts';
import { createIdentifier } from './middleware/identify-caller.ts';
import { exempt, meterAddress, meterHolder, meterRequests } from './middleware/meter-requests.ts';
import { redirectSlash } from './middleware/redirect-slash.ts';
import { requireOwnOrigin } from './middleware/require-own-origin.ts';
import { allowAnyOrigin, allowMessages, forbidCaching } from './middleware/set-api-headers.ts';
import type { Api } from './openapi/api.ts';
import { handleDocs, handleErrors } from './pages/docs.ts';
import { handleExplorer } from './pages/explorer.ts';
import { handleMedia } from './pages/media.ts';
import { handleAccountPage, handleClaimPage, handleListsPage, handlePlansPage } from './pages/plans.ts';
import { handleWebFile } from './pages/web-file.ts';
import { readJsonBody, readRawBody } from './parse/read-json-body.ts';
import { refuseParameters } from './parse/read-parameters.ts';
import { speakJsonRpc } from './request-state.ts';

/**
 * Everything the service answers: each path with its steps, and next to them what they refuse. Checks run in the order
 * of contract A2: 404 and 405, then 429, 401, 400, 403.
 */
export function createRoutes(deps: AppDeps): RequestHandler {
  const router = Router({ caseSensitive: true });
  const onlyGet = refuseMethod('GET, HEAD, OPTIONS');
  const onlyPost = refuseMethod('POST, OPTIONS');
  const getOrPost = refuseMethod('GET, HEAD, POST, OPTIONS');

  // These count and refuse nothing. A request counted by the first one it meets is not counted again.
  const allowances = createAllowances(deps.rateLimits, deps.sharedCounter);
  const { identify, findKey } = createIdentifier({ ...deps, allowances });
  const metering = { ...deps, allowances, identify };
  router.use('/api/v1/checkout', meterHolder(metering, 'checkout'));
  router.use('/api/v1/orders', meterAddress(metering, 'checkout'));
  router.use('/api/v1/webhooks', exempt(metering));
  const meter = meterRequests(metering);
  router.use(
    '/api/v1',
    forbidCaching,
    meter,
    allowAnyOrigin, // ends every OPTIONS request with 204
  );
  router.use(
    '/mcp',
    speakJsonRpc,
    forbidCaching,
    requireOwnOrigin(deps.publicUrl), // 403
    meter,
    allowMessages, // ends every OPTIONS request with 204
  );

  const { webhook = null, isSandbox = false } = deps.payments ?? {};
  router
    .route('/api/v1')
    .get(
      admit, // 429, 401
      refuseParameters, // 400
      handleLinks(deps, (api) => describePaths(api, webhook)),
    )
    .all(onlyGet);

  router
    .route('/api/v1/search')
    .get(
      admit, // 429, 401
      handleSearch(deps), // 400
    )
    .all(onlyGet);

  router
    .route('/api/v1/facets')
    .get(
      admit, // 429, 401
      handleFacets(deps), // 400
    )
    .all(onlyGet);

  router
    .route('/api/v1/export')
    .get(
      admit, // 429, 401
      requireKey, // 401
      handleExport(deps), // 400, 429, 403
    )
    .all(onlyGet);

  router
    .route('/api/v1/export/push')
    .post(
      admit, // 429, 401
      requireKey, // 401
      requirePushRight(deps), // 403
      readJsonBody(64), // 413, 415, 400
      refuseParameters, // 400
      handlePush(deps), // 400, 409, 422, 502
    )
    .all(onlyPost);

  router
    .route('/api/v1/records/lookup')
    .post(
      admit, // 429, 401
      readJsonBody(256), // 413, 415, 400
      refuseParameters, // 400
      handleLookup(deps), // 400
    )
    .all((req, res, next) => {
      // A record may have this word as its id.
      if (req.method === 'GET' || req.method === 'HEAD') next();
      else getOrPost(req, res, next);
    });

  router
    .route('/api/v1/records/:id')
    .get(
      admit, // 429, 401
      handleRecord(deps), // 400, 404
    )
    .all(onlyGet);

  router
    .route('/api/v1/records/:id/similar')
    .get(
      admit, // 429, 401
      handleSimilar(deps), // 400, 404
    )
    .all(onlyGet);

  router
    .route('/api/v1/lists')
    .all(refuseMethodsBut('GET', 'POST'))
    .all(admit, requireKey) // 429, 401
    .get(refuseParameters, handleLists(deps)) // 400
    .post(readJsonBody(16), refuseParameters, handleNewList(deps)); // 413, 415, 400, 403, 422

  router
    .route('/api/v1/lists/:id')
    .all(refuseMethodsBut('GET', 'PATCH', 'DELETE'))
    .all(admit, requireKey) // 429, 401
    .get(handleList(deps)) // 400, 404
    .patch(readJsonBody(16), refuseParameters, handleRenamedList(deps)) // 413, 415, 400, 403, 404, 412
    .delete(refuseParameters, handleDeletedList(deps)); // 400, 404, 412

  router
    .route('/api/v1/lists/:id/records')
    .post(
      admit, // 429, 401
      requireKey, // 401
      readJsonBody(8 * 1024), // 413, 415, 400
      refuseParameters, // 400
      handleListRecords(deps), // 400, 403, 404, 412, 422
    )
    .all(onlyPost);

  router
    .route('/api/v1/session')
    .all(refuseMethodsBut('POST', 'DELETE'))
    .all(admit, requireOwnPage(deps)) // 429, 401, 403
    .post(readJsonBody(16), refuseParameters, handleNewSession(deps, findKey)) // 413, 415, 400, 401
    .delete(refuseParameters, handleEndedSession(deps)); // 400

  router
    .route('/api/v1/me/sessions')
    .get(
      admit, // 429, 401
      requireKey, // 401
      refuseParameters, // 400
      handleSessions(deps),
    )
    .all(onlyGet);

  router
    .route('/api/v1/me/sessions/:id')
    .delete(
      admit, // 429, 401
      requireKey, // 401
      refuseParameters, // 400
      handleDeletedSession(deps), // 404
    )
    .all(refuseMethod('DELETE, OPTIONS'));

  router
    .route('/api/v1/me')
    .get(
      admit, // 429, 401
      requireKey, // 401
      refuseParameters, // 400
      handleAccount(deps),
    )
    .all(onlyGet);

  router
    .route('/api/v1/me/usage')
    .get(
      admit, // 429, 401
      requireKey, // 401
      refuseParameters, // 400
      handleUsage(deps),
    )
    .all(onlyGet);

  router
    .route('/api/v1/me/key/rotate')
    .post(
      admit, // 429, 401
      requireKey, // 401
      readJsonBody(16, { isOptional: true }), // 413, 415, 400
      refuseParameters, // 400
      handleRotateKey(deps), // 400, 401
    )
    .all(onlyPost);

  router
    .route('/api/v1/plans')
    .get(
      admit, // 429, 401
      refuseParameters, // 400
      handlePlans(deps),
    )
    .all(onlyGet);

  router
    .route('/api/v1/checkout')
    .post(
      admit, // 429, 401
      readJsonBody(16), // 413, 415, 400
      refuseParameters, // 400
      handleCheckout(deps), // 400, 409, 502
    )
    .all(onlyPost);

  router
    .route('/api/v1/orders/:id')
    .get(
      admit, // 429
      handleOrder(deps), // 400, 404
    )
    .all(onlyGet);

  if (webhook !== null) {
    router
      .route(`/api/v1/webhooks/${webhook.name}`)
      .post(
        readRawBody(1024), // 413, 415
        handlePaymentEvent(deps, webhook), // 400
      )
      .all(onlyPost);
  }

  router
    .route('/mcp')
    .post(
      admit, // 429, 401
      readJsonBody(32), // 413, 415, 400
      refuseParameters, // 400
      handleMcp(deps), // 400
    )
    .all(onlyPost);

  if (isSandbox) {
    router.route('/sandbox/:id').get(handleSandboxPage(deps)).all(refuseMethod('GET, HEAD')); // 404
    router.route('/sandbox/:id/:action').post(handleSandboxAction(deps)).all(refuseMethod('POST')); // 404
  }

  // A page that searches counts as a request of its address: what is sent as a key makes no difference.
  const meterPage = meterAddress(metering, 'anonymous');
  router.route('/').get(meterPage, handleExplorer(deps)).all(refuseMethod('GET, HEAD')); // 429, 400: as a page
  router.route('/media/:id').get(redirectSlash, meterPage, handleMedia(deps)).all(refuseMethod('GET, HEAD')); // 429, 404: as a page
  router.route('/lists').get(redirectSlash, handleListsPage(deps)).all(refuseMethod('GET, HEAD'));
  router.route('/plans').get(redirectSlash, handlePlansPage(deps)).all(refuseMethod('GET, HEAD'));
  router.route('/account').get(redirectSlash, handleAccountPage(deps)).all(refuseMethod('GET, HEAD'));
  router.route('/claim').get(redirectSlash, handleClaimPage(deps)).all(refuseMethod('GET, HEAD'));
  router
    .route('/openapi.json')
    .get(handleOpenApi(deps, (api) => describeApi(api, webhook)))
    .all(refuseMethod('GET, HEAD'));
  router
    .route('/docs')
    .get(
      redirectSlash,
      handleDocs(deps, (api) => describeApi(api, webhook)),
    )
    .all(refuseMethod('GET, HEAD'));
  router.route('/docs/errors').get(redirectSlash, handleErrors(deps)).all(refuseMethod('GET, HEAD'));
  router.route('/robots.txt').get(handleRobots(deps)).all(refuseMethod('GET, HEAD'));
  router.route('/llms.txt').get(handleModelGuide(deps)).all(refuseMethod('GET, HEAD'));
  if (deps.contactEmail !== null) {
    router
      .route('/.well-known/security.txt')
      .get(handleSecurityFile(deps, deps.contactEmail))
      .all(refuseMethod('GET, HEAD'));
  }
  for (const [path, file] of deps.webFiles) {
    router.route(`/${path}`).get(handleWebFile(file, path)).all(refuseMethod('GET, HEAD'));
  }
  router.route('/healthz').get(handleHealth).all(refuseMethod('GET, HEAD'));
  router.route('/readyz').get(handleReadiness(deps)).all(refuseMethod('GET, HEAD'));

  router.use(refusePath);
  return router;
}

/** The same as programs are told of it: the paths, and what is sent to them from outside. */
export function describeApi(api: Api, webhook: Webhook | null): Pick<ZodOpenApiObject, 'paths' | 'webhooks'> {
  return {
    paths: describePaths(api, webhook),
    ...(webhook && { webhooks: { [webhook.name]: { post: describeSentEvent(api, webhook) } } }),
  };
}

function describePaths(api: Api, webhook: Webhook | null): ZodOpenApiPathsObject {
  return {
    '/api/v1': { get: describeLinks(api) },
    '/api/v1/search': { get: describeSearch(api) },
    '/api/v1/facets': { get: describeFacets(api) },
    '/api/v1/records/lookup': { post: describeLookup(api) },
    '/api/v1/records/{id}': { get: describeRecord(api) },
    '/api/v1/records/{id}/similar': { get: describeSimilar(api) },
    '/api/v1/export': { get: describeExport(api) },
    '/api/v1/export/push': { post: describePush(api) },
    '/api/v1/lists': { get: describeLists(api), post: describeNewList(api) },
    '/api/v1/lists/{id}': { get: describeList(api), patch: describeRenamedList(api), delete: describeDeletedList(api) },
    '/api/v1/lists/{id}/records': { post: describeListRecords(api) },
    '/api/v1/session': { post: describeNewSession(api), delete: describeEndedSession(api) },
    '/api/v1/me/sessions': { get: describeSessions(api) },
    '/api/v1/me/sessions/{id}': { delete: describeDeletedSession(api) },
    '/api/v1/me': { get: describeAccount(api) },
    '/api/v1/me/usage': { get: describeUsage(api) },
    '/api/v1/me/key/rotate': { post: describeRotateKey(api) },
    '/api/v1/plans': { get: describePlans(api) },
    '/api/v1/checkout': { post: describeCheckout(api) },
    '/api/v1/orders/{id}': { get: describeOrder(api) },
    ...(webhook && { [`/api/v1/webhooks/${webhook.name}`]: { post: describePaymentEvent(api, webhook) } }),
    '/healthz': { get: describeHealth() },
    '/readyz': { get: describeReadiness() },
  };
}
