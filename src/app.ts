import express, { type Express } from 'express';
import type { AppDeps } from '#http/app-deps.ts';
import { dropForwardedPorts } from '#http/caller-address.ts';
import { compareEtags } from '#http/etags.ts';
import { handleProblems } from '#http/middleware/handle-problems.ts';
import { reportRequests } from '#http/middleware/report-requests.ts';
import { requireLoopbackHost } from '#http/middleware/require-loopback-host.ts';
import { setSecurityHeaders } from '#http/middleware/set-security-headers.ts';
import { assignRequestId } from '#http/request-state.ts';
import { createRoutes } from '#http/routes.ts';
import { followMergedIds } from '#search/follow-merged-ids.ts';
import { searchByMeaning } from '#search/meaning/search-by-meaning.ts';

/** Wires up the service. Does no I/O itself. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  // Parameters are parsed from the raw URL, and ETags are set only on answers that may be cached.
  app.disable('query parser');
  app.disable('etag');
  app.set('trust proxy', deps.trustProxy);
  compareEtags(app);

  app.use(assignRequestId);
  app.use(dropForwardedPorts);
  app.use(reportRequests(deps.log, deps.reportRequest));
  app.use(setSecurityHeaders(deps.publicUrl));
  if (deps.servesLoopbackHostsOnly) app.use(requireLoopbackHost);
  app.use(
    createRoutes({ ...deps, index: followMergedIds(searchByMeaning(deps.index, deps.answersMeaning), deps.mergedIds) }),
  );
  app.use(handleProblems(deps));
  return app;
}
