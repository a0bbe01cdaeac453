import { z } from 'zod';
import { normalizeEmail } from '#domain/normalize/normalize-email.ts';
import { tiers } from '#domain/plans/plan.ts';

const emailMessage = 'The address must be one plain email address, such as ada@example.org, or be left out.';

/** The body of POST /checkout. An empty address counts as absent. */
export const checkoutBody = z.strictObject(
  {
    tier: z.enum(tiers).describe('The plan to buy.'),
    email: z
      .string(emailMessage)
      .transform((text, context) => {
        if (text.trim() === '') return null;
        const read = normalizeEmail(text);
        if ('email' in read && !read.isFirstOfSeveral) return read.email;
        context.addIssue(emailMessage);
        return z.NEVER;
      })
      .optional()
      .describe("The buyer's address: receipts go there, and operators find the order by it."),
  },
  'The body must be one JSON object, such as {"tier":"pro"}.',
);
