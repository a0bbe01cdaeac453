import { z } from 'zod';
import { facetFields, fields } from '#domain/fields.ts';
import { emptyRecord, type MediaRecord } from '#domain/media-record.ts';
import { leadToolNames } from '#domain/outbound/push.ts';
import { tiers } from '#domain/plans/plan.ts';

/*
 * The shapes of what is answered (contract A1 to A9). What presents an answer takes its type from here, and so does
 * the API reference; no answer is run through them on its way out.
 */

const moment = z.iso.datetime().meta({ override: ({ jsonSchema }) => void delete jsonSchema.pattern });
const count = z.int().min(0);
const emptyOne = emptyRecord('none', 'outlet', 'None');

const valueSchemas: Record<(typeof fields)[number]['type'], (word: z.ZodType) => z.ZodType> = {
  text: (word) => word,
  list: (word) => z.array(word),
  // A masked address is none by its form: stars stand in it.
  email: () => z.string(),
  url: () => z.string(),
  date: () => moment,
  integer: () => count,
};

const recordShape = Object.fromEntries(fields.map((field) => [field.key, recordField(field)])) as {
  [Key in keyof MediaRecord]: z.ZodType<MediaRecord[Key]>;
};

/** A record, read from the registry. What is null in an empty record may be null. */
export const recordAnswer = z
  .strictObject(recordShape)
  .meta({ id: 'Record', description: 'An outlet, podcast or newsletter. Unknown values are null.' });

function recordField(field: (typeof fields)[number]): z.ZodType {
  const { key, type, doc } = field;
  const word = 'vocabulary' in field ? z.enum(field.vocabulary) : z.string();
  const value = valueSchemas[type](word);
  return (emptyOne[key] === null ? value.nullable() : value).describe(doc);
}

export const searchAnswer = z
  .strictObject({
    results: z.array(recordAnswer),
    total: count.describe('The exact number of matching records.'),
    page: z.int().min(1),
    per_page: z.int().min(1).max(100),
    total_pages: count.describe('Includes pages too deep to reach.'),
    masked: z.boolean().describe('Whether addresses are masked, for lack of an active plan.'),
  })
  .meta({ id: 'SearchPage' });

const facetCount = z
  .strictObject({
    value: z.string().describe('The value to filter by.'),
    label: z.string().describe('English text to display.'),
    count: z.int().min(1),
  })
  .meta({ id: 'FacetCount' });

export const facetsAnswer = z
  .strictObject({ total: count.describe('The number of records that match all filters.') })
  .extend(Object.fromEntries(facetFields.map(({ facet }) => [facet.list, z.array(facetCount)])))
  .meta({ id: 'Facets', description: 'Largest count first. Each list applies all filters except its own.' });

export const accountAnswer = z
  .strictObject({
    plan: z.enum(tiers),
    status: z.enum(['active', 'expired']),
    expires_at: moment,
    key_prefix: z.string().describe('The first characters of the key, which identify it.'),
    order_id: z.string().nullable().describe('null if an operator issued the key.'),
  })
  .meta({ id: 'Account' });

export const plansAnswer = z
  .strictObject({
    plans: z.array(
      z
        .strictObject({
          tier: z.enum(tiers),
          price: z.int().min(1).describe('In minor units of the currency, such as cents.'),
          currency: z.string().length(3).describe('ISO 4217.'),
          days: z.int().min(1).describe('Days the plan runs from its payment.'),
          includes: z.array(z.string()),
        })
        .meta({ id: 'Plan' }),
    ),
  })
  .meta({ id: 'Plans' });

export const checkoutAnswer = z
  .strictObject({
    checkout_url: z.url().describe('The page where the buyer pays.'),
    order_id: z.string(),
    claim_token: z.string().describe('A secret: anyone with it and the order_id can claim the key. Keep both.'),
  })
  .meta({ id: 'Checkout' });

export const orderAnswer = z
  .strictObject({
    order_id: z.string(),
    status: z.enum(['pending', 'paid', 'refunded', 'expired', 'failed']),
    tier: z.enum(tiers),
    created_at: moment,
    paid_at: moment.nullable(),
    plan_expires_at: moment.nullable(),
    key_claimed_at: moment.nullable().describe('When the key was given out.'),
    api_key: z.string().optional().describe('Only in the first answer after the payment. Save it: it is shown once.'),
  })
  .meta({ id: 'Order' });

export const pushAnswer = z
  .strictObject({
    tool: z.enum(leadToolNames),
    campaign_id: z.string(),
    matched: count.describe('Records that match the filters.'),
    without_email: count.describe('Records without an address you may write to.'),
    repeated: count.describe('Records with the address of an earlier one.'),
    sent: count.describe('added + duplicates + invalid + blocked + skipped + failed.'),
    added: count,
    duplicates: count,
    invalid: count,
    blocked: count,
    skipped: count,
    failed: count,
    details: z.record(z.string(), z.number()).describe("The tool's own counters."),
  })
  .meta({ id: 'Push' });

export const eventAnswer = z.strictObject({ outcome: z.enum(['handled', 'repeated', 'held', 'ignored']) });
export const healthAnswer = z.strictObject({ status: z.literal('ok') });
export const readyAnswer = z.strictObject({ status: z.literal('ready') });
export const notReadyAnswer = z.strictObject({ status: z.literal('not ready'), missing: z.array(z.string()) });
