import type { Request, Response } from 'express';
import { z } from 'zod';
import { requireScope } from '#accounts/further-key.ts';
import { hashToken, type Session, sessionDays, startSession } from '#accounts/session.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import { answerObject, deletedAnswer, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Endpoint, ofOwnKey } from '../endpoint.ts';
import { findKey, readToken, writeCookie } from '../identify-caller.ts';
import { readFields } from '../parse/read-body.ts';
import { keyOf } from '../request-state.ts';

const keyMessage = 'The API key to sign in with, as a string.';

const sessionBody = z.strictObject(
  { api_key: z.string(keyMessage).trim().describe(keyMessage) },
  'The body must be a JSON object, such as {"api_key":"mh_…"}.',
);

export const sessionAnswer = answerObject('Session', {
  id: z.string(),
  browser: z.string().describe('What the browser said that it is.'),
  created_at: moment,
  expires_at: moment,
  current: z.boolean().describe('Whether it is the one of this request.'),
});

const sessionsAnswer = answerObject('Sessions', { sessions: z.array(sessionAnswer).describe('The newest first.') });

export function postSession(deps: AppDeps): Endpoint {
  return {
    operationId: 'startSession',
    facts: { sessionDays },
    access: 'own pages',
    body: { schema: sessionBody, example: { api_key: 'mh_…' }, maxKilobytes: 16 },
    answer: { schema: sessionAnswer },
    async handle(req, res) {
      const { api_key } = readFields(req.body, sessionBody);
      const { key, secret, further } = await findKey(deps, api_key);
      requireScope(further, 'own key');
      res.json(await beginSession(deps, { key, secret }, req, res));
    },
  };
}

/** Signs the browser of a request in, under a key and the HMAC of its secret, with a cookie, which replaces the one that it has. */
export async function beginSession(
  { sessions, publicUrl, now }: AppDeps,
  { key, secret }: { key: StoredKey; secret: string },
  req: Request<object>,
  res: Response,
): Promise<z.output<typeof sessionAnswer>> {
  const browser = nameBrowser(req.get('User-Agent') ?? '');
  const { session, token } = startSession({ hash: key.hash, secret }, browser, now());
  await sessions.change(session.hash, () => session);
  if (readToken(req) !== null) await sessions.change(currentHash(req), () => null);
  res.set('Set-Cookie', writeCookie(token, publicUrl, sessionDays * 24 * 60 * 60));
  return presentSession(session, session.hash);
}

export function deleteSession({ sessions, publicUrl }: AppDeps): Endpoint {
  return {
    operationId: 'endSession',
    access: 'own pages',
    answer: { schema: deletedAnswer },
    async handle(req, res) {
      await sessions.change(currentHash(req), () => null);
      res.set('Set-Cookie', writeCookie('', publicUrl, 0));
      res.json({ deleted: true });
    },
  };
}

export function getSessions({ sessions, now }: AppDeps): Endpoint {
  return {
    operationId: 'findSessions',
    ...ofOwnKey,
    answer: { schema: sessionsAnswer },
    async handle(req, res) {
      const at = now().toISOString();
      const living = (await sessions.list({ owner: keyOf(res).hash })).filter(({ expiresAt }) => expiresAt > at);
      res.json({ sessions: living.map((session) => presentSession(session, currentHash(req))) });
    },
  };
}

export function deleteSessionById({ sessions }: AppDeps): Endpoint {
  return {
    operationId: 'endSessionOf',
    ...ofOwnKey,
    path: z.object({ id: z.string().describe('The id of the session.') }),
    answer: { schema: deletedAnswer },
    errors: ['not_found'],
    async handle(req, res) {
      const session = (await sessions.list({ owner: keyOf(res).hash })).find(({ id }) => id === req.params.id);
      if (session === undefined) {
        throw new Problem('not_found', 'Your account has no session with this id. It may have ended already.');
      }
      await sessions.change(session.hash, () => null);
      res.json({ deleted: true });
    },
  };
}

function currentHash(req: Request<object>): string {
  const token = readToken(req);
  return token === null ? '' : hashToken(token);
}

function presentSession(
  { hash, id, browser, createdAt, expiresAt }: Session,
  current: string,
): z.output<typeof sessionAnswer> {
  return { id, browser, created_at: createdAt, expires_at: expiresAt, current: hash === current };
}

const browsers = /\b(Edg|OPR|Firefox|Chrome|Safari)\//;
const systems = /\b(Windows|Android|iPhone|iPad|Mac OS X|Linux|CrOS)\b/;
const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS', CrOS: 'ChromeOS' };

/** As people know it: Firefox on Windows. Of what a browser sends, nothing else is kept. */
function nameBrowser(agent: string): string {
  // Chrome's kin name Chrome first, and Chrome names Safari last.
  const browser = /\b(Edg|OPR)\//.exec(agent)?.[1] ?? browsers.exec(agent)?.[1];
  const system = systems.exec(agent)?.[1];
  const named = [browser, system].map((name) => name && (names[name] ?? name));
  return named.filter(Boolean).join(' on ') || 'A browser';
}
