import type { RequestHandler } from 'express';
import { problems } from '#src/problem.ts';
import type { AppDeps } from '../app-deps.ts';
import { createOpenApi } from '../openapi/create-openapi.ts';
import { outlineApi } from '../openapi/outline-api.ts';
import { handleSharedPage } from './shared-page.ts';

/** GET /docs: a guide of five minutes, then the reference, made of what /openapi.json says. */
export function handleDocs(deps: AppDeps, describeApi: Parameters<typeof createOpenApi>[1]): RequestHandler {
  return handleSharedPage(deps, 'docs', () => ({
    serviceUrl: deps.publicUrl,
    outline: outlineApi(createOpenApi(deps, describeApi)),
  }));
}

/** GET /docs/errors: explains each code. The `type` of every error links here. */
export function handleErrors(deps: AppDeps): RequestHandler {
  const codes = Object.entries(problems).map(([code, { status, title, doc }]) => ({ code, status, title, doc }));
  return handleSharedPage(deps, 'errors', () => ({ codes }), '../');
}
