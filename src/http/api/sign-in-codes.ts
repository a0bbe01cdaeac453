import { z } from 'zod';
import { requireScope } from '#accounts/further-key.ts';
import { minutesBetweenLinks } from '#accounts/mails.ts';
import { claimTokenOf } from '#accounts/pepper.ts';
import { mailedCode, maxTries, openTarget, typedCode } from '#accounts/sign-in-codes.ts';
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
    facts: { minutes: typedCode.minutes, maxTries },
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

const redeemedAnswer = answerObject('RedeemedCode', {
  session: sessionAnswer.optional(),
  order: z
    .strictObject({ order_id: z.string(), claim_token: z.string() })
    .optional()
    .describe('Instead of a session: the order whose key the buyer claims with this.'),
});

const codeMessage = 'The code that another device shows, as a string.';

const redeemBody = z.strictObject(
  { code: z.string(codeMessage).trim().max(100, codeMessage).describe(codeMessage) },
  'The body must be a JSON object, such as {"code":"K7QMA-2XPD9"}.',
);

export function redeemSessionCode(deps: AppDeps): Endpoint {
  const { signInCodes, pepper, now } = deps;
  return {
    operationId: 'redeemSignInCode',
    access: 'own pages',
    body: { schema: redeemBody, example: { code: 'K7QMA-2XPD9' }, maxKilobytes: 16 },
    answer: { schema: redeemedAnswer },
    errors: ['code_invalid'],
    async handle(req, res) {
      const { code } = readFields(req.body, redeemBody);
      const target = await signInCodes.use(code, pepper, now());
      const opened = target && (await openTarget(deps, target, now()));
      if (opened === null) {
        throw new Problem(
          'code_invalid',
          `This code is mistyped, used or over. A code works once, for ${typedCode.minutes} minutes (in a mail ${mailedCode.minutes}) and ${maxTries} tries. Get a new one.`,
        );
      }
      if ('key' in opened) return void res.json({ session: await beginSession(deps, opened, req, res) });
      const { orderId } = opened;
      res.json({ order: { order_id: orderId, claim_token: claimTokenOf(orderId, pepper) } });
    },
  };
}

const addressMessage = 'email must be a plain email address, such as ada@example.org.';

const mailBody = z.strictObject(
  { email: z.email(addressMessage).max(254, addressMessage).describe('The address that was given with an order.') },
  'The body must be a JSON object, such as {"email":"ada@example.org"}.',
);

export function mailSessionLink({ mails, log }: AppDeps): Endpoint {
  return {
    operationId: 'mailSignInLink',
    facts: { minutes: mailedCode.minutes, minutesBetweenLinks },
    access: 'own pages',
    body: { schema: mailBody, example: { email: 'ada@example.org' }, maxKilobytes: 16 },
    answer: { schema: answerObject('AcceptedMail', { accepted: z.literal(true) }) },
    errors: ['not_found'],
    handle(req, res) {
      const { email } = readFields(req.body, mailBody);
      if (mails === null) throw new Problem('not_found', 'This service sends no mail. Sign in with your key.');
      res.json({ accepted: true });
      // After the answer, whose time would otherwise tell whether the address is known.
      mails.queueLinks(email).catch((err) => log.warn({ err }, 'a link that somebody asked for could not be queued'));
    },
  };
}
