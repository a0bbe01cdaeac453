import type { RequestHandler } from 'express';
import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { type Rotation, rotateKey } from '#accounts/rotate-key.ts';
import { defaultOverlapHours, maxOverlapHours } from '#accounts/stored-key.ts';
import type { AppDeps } from '../app-deps.ts';
import { type Api, always, jsonAnswer, moment, ofBodies, withKey } from '../openapi/api.ts';
import { readFields } from '../parse/read-json-body.ts';
import { keyOf, secretOf } from '../request-state.ts';

const overlapMessage = `overlap_hours must be a whole number from 0 to ${maxOverlapHours}.`;

/** The request body. */
export const rotateBody = z.strictObject(
  {
    overlap_hours: z
      .int(overlapMessage)
      .min(0, overlapMessage)
      .max(maxOverlapHours, overlapMessage)
      .nullish()
      .transform((hours) => hours ?? defaultOverlapHours)
      .describe(
        `How long the key that you send goes on, ${defaultOverlapHours} unless you say. 0 ends it at once, as after a leak.`,
      ),
  },
  'The body must be a JSON object, such as {"overlap_hours":24}.',
);

/** POST /me/key/rotate: replaces the caller's key by a new one (contract A15). */
export function handleRotateKey(deps: Pick<AppDeps, 'keys' | 'pepper' | 'now'>): RequestHandler {
  return async (req, res) => {
    const { overlap_hours: hours } = readFields(req.body, rotateBody);
    res.json(presentRotation(await rotateKey(deps, keyOf(res), secretOf(res), hours, deps.now())));
  };
}

export const rotateAnswer = z
  .strictObject({
    api_key: z.string().describe('The new key. Save it: it is shown once.'),
    key_prefix: z.string().describe('The first characters of the new key, which identify it.'),
    old_key_expires_at: moment.describe('When the key that you sent stops working.'),
  })
  .meta({ id: 'RotatedKey' });

function presentRotation({ key, stored, sentEndsAt }: Rotation): z.output<typeof rotateAnswer> {
  return {
    api_key: key,
    key_prefix: stored.prefix,
    old_key_expires_at: sentEndsAt,
  };
}

export const exampleRotation = { overlap_hours: 24 };

const example = {
  api_key: 'mh_…',
  key_prefix: 'mh_7hG2mW0c',
  old_key_expires_at: '2026-11-22T12:00:00.000Z',
};

export function describeRotateKey({ problems }: Api): ZodOpenApiOperationObject {
  return {
    operationId: 'rotateKey',
    tags: ['Plans'],
    summary: 'Replace your key (returns the new one once)',
    description:
      'Returns a new key for the same plan, with the same limits. The key that you send goes on for overlap_hours, so you can change it in one place after the other. If you lose the answer, send the request again with the old key: the new key that you lost ends. Sent with the new key while the old one still works, the request ends the new key at once, and the old one goes on as long as was promised, or ends too if overlap_hours is 0. At most two keys work at a time. No body counts as {}. An expired plan does not matter.',
    security: withKey,
    requestBody: {
      required: false,
      content: { 'application/json': { schema: rotateBody, example: exampleRotation } },
    },
    responses: {
      200: jsonAnswer('The new key.', rotateAnswer, example),
      ...problems([...always, ...ofBodies, 'key_missing', 'key_invalid']),
    },
  };
}
