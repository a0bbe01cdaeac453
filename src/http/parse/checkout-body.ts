import { z } from 'zod';
import { normalizeEmail } from '#domain/normalize/normalize-email.ts';
import { tiers } from '#domain/plans/plan.ts';

const emailMessage = 'email must be a plain email address, such as ada@example.org, or be omitted.';

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
          "The buyer's email address, for the receipt and for operators to find the order. Null or an empty text counts as absent.",
        // As one schema, so that what was promised of it before it could be null still stands there.
        override: ({ jsonSchema }) => {
          delete jsonSchema.anyOf;
          jsonSchema.type = ['string', 'null'];
        },
      }),
  },
  'The body must be a JSON object, such as {"tier":"pro"}.',
);
