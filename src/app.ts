import express, { type Express } from 'express';
import type { AppDeps } from '#http/app-deps.ts';
import { guard } from '#http/guards.ts';
import { createMeters } from '#http/meter.ts';
import { handleProblems } from '#http/problem-answers.ts';
import { createRoutes } from '#http/routes.ts';
import { compareEtags } from '#http/send.ts';
import { searchByMeaning } from '#search/meaning/search-by-meaning.ts';
import { rememberAnswers } from '#search/remembered-answers.ts';

/** Wires up the service. Does no I/O itself. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  // Parameters are parsed from the raw URL, and ETags are set only on answers that may be cached.
  app.disable('query parser');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.set('trust proxy', deps.trustProxy);
  compareEtags(app);

  guard(app, deps, createMeters(deps));
  const { answersMeaning, ownModel } = deps;
  // What a model of the operator says may change while the index does not.
  const index =
    ownModel === null
      ? rememberAnswers(searchByMeaning(deps.index, answersMeaning))
      : searchByMeaning(rememberAnswers(deps.index), answersMeaning, ownModel);
  app.use(createRoutes({ ...deps, index }));
  app.use(handleProblems(deps));
  return app;
}
