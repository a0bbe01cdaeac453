import { z } from 'zod';
import { normalizeEmail } from '#domain/normalize/normalize-email.ts';
import { tiers } from '#domain/plans/plan.ts';

const emailMessage = 'The address must be one plain email address, such as ada@example.org, or be left out.';

/** The body of POST /checkout. As in a query, what is empty counts as absent; in JSON that is also null. */
export const checkoutBody = z.strictObject(
  {
    tier: z.enum(tiers).describe('The plan to buy.'),
    email: z
      .string(emailMessage)
      .nullish()
      .transform((text, context) => {
        if (text === null || text === undefined || text.trim() === '') return null;
        const read = normalizeEmail(text);
        if ('email' in read && !read.isFirstOfSeveral) return read.email;
        context.addIssue(emailMessage);
        return z.NEVER;
      })
      .meta({
        description:
          "The buyer's address: receipts go there, and operators find the order by it. Null or an empty text counts as absent.",
        // As one schema, so that what was promised of it before it could be null still stands there.
        override: ({ jsonSchema }) => {
          delete jsonSchema.anyOf;
          jsonSchema.type = ['string', 'null'];
        },
      }),
  },
  'The body must be one JSON object, such as {"tier":"pro"}.',
);
