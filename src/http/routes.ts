import { type RequestHandler, Router } from 'express';
import { Problem } from '#src/problem.ts';
import { trimEnd } from '#text/fold.ts';
import { health, links, readiness } from './api/about.ts';
import { changes } from './api/changes.ts';
import { contacts } from './api/contacts.ts';
import { exportFile } from './api/export.ts';
import { facets } from './api/facets.ts';
import { deleteKey, getKeys, postKey } from './api/keys.ts';
import { getList } from './api/list-page.ts';
import { deleteList, getLists, patchList, postList, postListRecords } from './api/lists.ts';
import { mcp } from './api/mcp.ts';
import { me, rotateKey, usage } from './api/me.ts';
import { checkout, myOrders, order, paymentEvent, plans } from './api/purchase.ts';
import { push } from './api/push.ts';
import { lookup, record, similar } from './api/records.ts';
import { search } from './api/search.ts';
import { deleteSearch, getFeed, getSearches, postFeedToken, postSearch } from './api/searches.ts';
import { deleteSession, deleteSessionById, getSessions, postSession } from './api/session.ts';
import { mailSessionLink, postSessionCode, redeemSessionCode } from './api/sign-in-codes.ts';
import type { AppDeps } from './app-deps.ts';
import { stepsOf } from './endpoint.ts';
import { redirectSlash } from './guards.ts';
import { createOpenApi, type Endpoints } from './openapi.ts';
import { handleDocs, handleErrors, handleOpenApi } from './pages/docs.ts';
import { handleExplorer } from './pages/explorer.ts';
import { handleMedia } from './pages/media.ts';
import { handleSharedPage, handleWebFile, presentSending } from './pages/page.ts';
import { handlePlansPage, handleSampleFile } from './pages/plans.ts';
import { handleSandboxAction, handleSandboxPage } from './pages/sandbox.ts';
import { handleModelGuide, handleRobots, handleSecurityFile } from './pages/site-files.ts';
import { keepStock } from './pages/stock.ts';
import { listWords } from './parse/faults.ts';

/** THE API: every operation by its method and path, in the order of its document. */
export function listEndpoints(deps: AppDeps): Endpoints {
  const webhook = deps.payments?.webhook ?? null;
  const endpoints: Endpoints = {
    'GET /api/v1': links(deps, () => endpoints),
    'GET /api/v1/search': search(deps),
    'GET /api/v1/contacts': contacts(deps),
    'GET /api/v1/facets': facets(deps),
    'POST /api/v1/records/lookup': lookup(deps),
    'GET /api/v1/records/:id': record(deps),
    'GET /api/v1/records/:id/similar': similar(deps),
    'GET /api/v1/export': exportFile(deps),
    'GET /api/v1/changes': changes(deps),
    'POST /api/v1/export/push': push(deps),
    'GET /api/v1/lists': getLists(deps),
    'POST /api/v1/lists': postList(deps),
    'GET /api/v1/lists/:id': getList(deps),
    'PATCH /api/v1/lists/:id': patchList(deps),
    'DELETE /api/v1/lists/:id': deleteList(deps),
    'POST /api/v1/lists/:id/records': postListRecords(deps),
    'GET /api/v1/searches': getSearches(deps),
    'POST /api/v1/searches': postSearch(deps),
    'DELETE /api/v1/searches/:id': deleteSearch(deps),
    'GET /api/v1/searches/:id/feed': getFeed(deps),
    'POST /api/v1/searches/:id/feed-token': postFeedToken(deps),
    'POST /api/v1/session': postSession(deps),
    'DELETE /api/v1/session': deleteSession(deps),
    'POST /api/v1/session/code': postSessionCode(deps),
    'POST /api/v1/session/redeem': redeemSessionCode(deps),
    'POST /api/v1/session/mail': mailSessionLink(deps),
    'GET /api/v1/me/sessions': getSessions(deps),
    'DELETE /api/v1/me/sessions/:id': deleteSessionById(deps),
    'GET /api/v1/me': me(deps),
    'GET /api/v1/me/usage': usage(deps),
    'GET /api/v1/me/orders': myOrders(deps),
    'POST /api/v1/me/key/rotate': rotateKey(deps),
    'GET /api/v1/me/keys': getKeys(deps),
    'POST /api/v1/me/keys': postKey(deps),
    'DELETE /api/v1/me/keys/:id': deleteKey(deps),
    'GET /api/v1/plans': plans(deps),
    'POST /api/v1/checkout': checkout(deps),
    'GET /api/v1/orders/:id': order(deps),
    ...(webhook && { [`POST /api/v1/webhooks/${webhook.name}`]: paymentEvent(deps, webhook) }),
    'GET /healthz': health(),
    'GET /readyz': readiness(deps),
  };
  return endpoints;
}

/** What else the service answers: models, pages for people, and files. */
function listOthers(deps: AppDeps, endpoints: Endpoints): Routes {
  const document = () => createOpenApi(deps, endpoints);
  const readStock = keepStock(deps);
  return {
    'POST /mcp': stepsOf(mcp(deps), deps),
    'GET /': [handleExplorer(deps, readStock)],
    'GET /people': [redirectSlash, handleExplorer(deps, readStock, 'people')],
    'GET /media/:id': [handleMedia(deps)],
    'GET /lists': [redirectSlash, handleSharedPage(deps, 'lists', () => presentSending(deps))],
    'GET /plans': [redirectSlash, handlePlansPage(deps, readStock)],
    'GET /sample.csv': [handleSampleFile(deps, readStock)],
    'GET /account': [redirectSlash, handleSharedPage(deps, 'account', () => ({ sendsMail: deps.mails !== null }))],
    'GET /claim': [redirectSlash, handleSharedPage(deps, 'claim', () => ({ sendsMail: deps.mails !== null }))],
    'GET /docs': [redirectSlash, handleDocs(deps, document)],
    'GET /docs/errors': [redirectSlash, handleErrors(deps)],
    'GET /openapi.json': [handleOpenApi(document)],
    'GET /robots.txt': [handleRobots(deps)],
    'GET /llms.txt': [handleModelGuide(deps)],
    ...(deps.contactEmail !== null && {
      'GET /.well-known/security.txt': [handleSecurityFile(deps, deps.contactEmail)],
    }),
    ...(deps.payments?.isSandbox && {
      'GET /sandbox/:id': [handleSandboxPage(deps)],
      'POST /sandbox/:id/:action': [handleSandboxAction(deps)],
    }),
    ...Object.fromEntries([...deps.webFiles].map(([path, files]) => [`GET /${path}`, [handleWebFile(files, path)]])),
  };
}

type Routes = Readonly<Record<string, readonly RequestHandler<never>[]>>;

export function createRoutes(deps: AppDeps): RequestHandler {
  const router = Router({ caseSensitive: true });
  const endpoints = listEndpoints(deps);
  const ofEndpoints = Object.entries(endpoints).map(([key, endpoint]) => [key, stepsOf(endpoint, deps)]);
  const routes: Routes = { ...Object.fromEntries(ofEndpoints), ...listOthers(deps, endpoints) };
  for (const [key, steps] of Object.entries(routes)) {
    const [method = '', path = ''] = key.split(' ');
    router[method.toLowerCase() as 'get' | 'post' | 'patch' | 'delete'](path, ...(steps as readonly RequestHandler[]));
  }
  router.use(refuseOthers(Object.keys(routes)));
  return router;
}

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'OPTIONS'];

/** A method that a path does not have is 405, any other path 404. */
function refuseOthers(routes: readonly string[]): RequestHandler {
  return ({ method, path }) => {
    const matching = routes.map((key) => key.split(' ')).filter(([, pattern = '']) => fits(path, pattern));
    if (matching.length === 0) {
      throw new Problem('not_found', 'This path does not exist. GET /api/v1 lists all; to search, use /api/v1/search.');
    }
    const methodsHere = new Set(matching.map(([method]) => method));
    if (methodsHere.has('GET')) methodsHere.add('HEAD');
    // The guards answer OPTIONS where programs ask.
    if (/^\/(?:api|mcp)/.test(path)) methodsHere.add('OPTIONS');
    const allowed = methods.filter((method) => methodsHere.has(method));
    throw new Problem('method_not_allowed', `${method} is not allowed here. Use ${listWords(allowed)}.`, {
      headers: { Allow: allowed.join(', ') },
    });
  };
}

function fits(path: string, pattern: string): boolean {
  const [parts, patternParts] = [trimEnd(path, '/').split('/'), trimEnd(pattern, '/').split('/')];
  return (
    parts.length === patternParts.length && patternParts.every((part, at) => part === parts[at] || part.startsWith(':'))
  );
}
