import { z } from 'zod';
import { requireScope } from '#accounts/further-key.ts';
import { maxTries, typedCode } from '#accounts/sign-in-codes.ts';
import { opens } from '#accounts/stored-key.ts';
import { Problem } from '#src/problem.ts';
import { answerObject, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import type { Endpoint } from '../endpoint.ts';
import { readFields } from '../parse/read-body.ts';
import { callerOf, keyOf, secretOf } from '../request-state.ts';
import { beginSession, sessionAnswer } from './session.ts';

export function postSessionCode({ signInCodes, pepper, now }: AppDeps): Endpoint {
  return {
    operationId: 'makeSignInCode',
    tag: 'Plans',
    summary: 'Get a code that signs in another device',
    description: `For the pages of the service alone, with the key that was bought or issued. The code works once, for ${typedCode.minutes} minutes and ${maxTries} tries. Only a hash of it is stored.`,
    access: 'own pages',
    answer: { schema: codeAnswer },
    errors: ['key_missing', 'key_invalid', 'scope_required'],
    async handle(_req, res) {
      const { hash: account } = keyOf(res);
      requireScope(callerOf(res).further, 'own key');
      const { code, expiresAt } = await signInCodes.make({ account, secret: secretOf(res) }, typedCode, pepper, now());
      res.json({ code: `${code.slice(0, 5)}-${code.slice(5)}`, expires_at: expiresAt });
    },
  };
}

const codeAnswer = answerObject('SignInCode', { code: z.string(), expires_at: moment });

const codeMessage = 'The code that another device shows, as a string.';

const redeemBody = z.strictObject(
  { code: z.string(codeMessage).trim().max(100, codeMessage).describe(codeMessage) },
  'The body must be a JSON object, such as {"code":"K7QMA-2XPD9"}.',
);

export function redeemSessionCode(deps: AppDeps): Endpoint {
  const { signInCodes, keys, pepper, now } = deps;
  return {
    operationId: 'redeemSignInCode',
    tag: 'Plans',
    summary: 'Sign a browser in by a code',
    description:
      'For the pages of the service alone. Sets the cookie of a session, as `POST /session` does, and shows no key.',
    access: 'own pages',
    body: { schema: redeemBody, example: { code: 'K7QMA-2XPD9' }, maxKilobytes: 16 },
    answer: { schema: answerObject('RedeemedCode', { session: sessionAnswer }) },
    errors: ['code_invalid'],
    async handle(req, res) {
      const { code } = readFields(req.body, redeemBody);
      const target = await signInCodes.use(code, pepper, now());
      const key = target && (await keys.find(target.account));
      if (target === null || key === null || !opens(key, target.secret, now())) {
        throw new Problem(
          'code_invalid',
          `This code is mistyped, used or over. Codes work once, for ${typedCode.minutes} minutes and ${maxTries} tries. Get a new one on the other device.`,
        );
      }
      res.json({ session: await beginSession(deps, { key, secret: target.secret }, req, res) });
    },
  };
}
