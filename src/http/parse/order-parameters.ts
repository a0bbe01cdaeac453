import { z } from 'zod';
import type { IssueDetails } from './parameters.ts';
import type { ParameterSet } from './read-parameters.ts';

const missing: IssueDetails = { code: 'missing' };

export const orderSchema = z.object({
  claim_token: z
    .string()
    .optional()
    .transform((text, context) => {
      if (text !== undefined) return text;
      context.addIssue({
        code: 'custom',
        message: 'This must be the claim_token from POST /api/v1/checkout.',
        params: missing,
      });
      return z.NEVER;
    })
    .describe('The claim_token from POST /checkout.'),
});

/** The parameters of GET /orders/{id}. */
export const orderParameters: ParameterSet<{ claimToken: string }> = {
  schema: orderSchema.transform(({ claim_token }) => ({ claimToken: claim_token })),
  names: ['claim_token'],
  repeatable: new Set(),
};
