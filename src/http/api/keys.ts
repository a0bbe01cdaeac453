import { z } from 'zod';
import { type FurtherKey, maxFurtherKeys, scopes } from '#accounts/further-key.ts';
import { makeFurtherKey } from '#accounts/keys.ts';
import { Problem } from '#src/problem.ts';
import { answerObject, deletedAnswer, moment } from '../answer-parts.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Endpoint, ofOwnKey } from '../endpoint.ts';
import { choice, nameOf, readFields } from '../parse/read-body.ts';
import { keyOf } from '../request-state.ts';

const furtherKeyShape = {
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(scopes)),
  key_prefix: z.string().describe('The first characters of the key, which identify it.'),
  created_at: moment,
};
const keysAnswer = answerObject('FurtherKeys', {
  keys: z.array(answerObject('FurtherKey', furtherKeyShape)).describe('The newest first.'),
});
const madeAnswer = answerObject('MadeKey', {
  ...furtherKeyShape,
  api_key: z.string().describe('The key. Save it: it is shown once.'),
});

const scopesMessage = `scopes must be a list with at least one of ${scopes.join(', ')}.`;

const keyBody = z.strictObject(
  {
    name: nameOf('Which program the key is for.'),
    scopes: z
      .array(choice(scopes), scopesMessage)
      .min(1, scopesMessage)
      .transform((askedScopes) => scopes.filter((scope) => askedScopes.includes(scope)))
      .describe(
        'What the key may do. search: read records; export: exports and changes; push: pushes to campaigns; lists: read and write lists. Each key may read /me.',
      ),
  },
  'The body must be a JSON object, such as {"name":"Notebook","scopes":["search"]}.',
);

export function getKeys({ furtherKeys }: AppDeps): Endpoint {
  return {
    ...ofOwnKey,
    operationId: 'findKeys',
    answer: { schema: keysAnswer },
    async handle(_req, res) {
      res.json({ keys: (await furtherKeys.list({ owner: keyOf(res).hash })).map(present) });
    },
  };
}

export function postKey(deps: AppDeps): Endpoint {
  return {
    ...ofOwnKey,
    operationId: 'makeKey',
    facts: { maxFurtherKeys },
    body: { schema: keyBody, example: { name: 'Notebook', scopes: ['search', 'export'] }, maxKilobytes: 16 },
    answer: { schema: madeAnswer },
    errors: ['too_many_keys'],
    async handle(req, res) {
      const request = { account: keyOf(res).hash, ...readFields(req.body, keyBody) };
      const { key, furtherKey } = await makeFurtherKey(deps, request, deps.now());
      res.json({ ...present(furtherKey), api_key: key });
    },
  };
}

export function deleteKey({ furtherKeys }: AppDeps): Endpoint {
  return {
    ...ofOwnKey,
    operationId: 'deleteKey',
    path: z.object({ id: z.string().describe('The id of the key.') }),
    answer: { schema: deletedAnswer },
    errors: ['not_found'],
    async handle(req, res) {
      const ownKeys = await furtherKeys.list({ owner: keyOf(res).hash });
      const key = ownKeys.find(({ id }) => id === req.params.id);
      if (key === undefined) {
        throw new Problem(
          'not_found',
          'Your account has no further key with this id. GET /api/v1/me/keys shows those that it has.',
        );
      }
      await furtherKeys.change(key.hash, () => null);
      res.json({ deleted: true });
    },
  };
}

function present({ id, name, scopes, prefix, createdAt }: FurtherKey): z.output<typeof keysAnswer>['keys'][number] {
  return { id, name, scopes: [...scopes], key_prefix: prefix, created_at: createdAt };
}
