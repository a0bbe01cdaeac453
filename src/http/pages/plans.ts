import { buffer } from 'node:stream/consumers';
import type { RequestHandler } from 'express';
import { allows, type PlanDefinition } from '#accounts/plans.ts';
import { formatNumber } from '#text/printed.ts';
import { presentPlans } from '../api/purchase.ts';
import type { AppDeps } from '../app-deps.ts';
import { andWords } from '../parse/faults.ts';
import { answerPage, createPageRenderer } from './page.ts';
import type { Stock, StockReader } from './stock.ts';

/** What the start page says to people who do not know the service yet. `media`: as many as it counts now. */
export function presentPitch(deps: AppDeps, { counts, searches }: Stock, media: number) {
  const [cheapest] = presentPlans(deps).plans.toSorted((a, b) => a.price - b.price);
  return { counts: { ...counts, media }, searches, cheapest };
}

/** GET /plans: what is for sale, beside what there is without a plan, with examples from the stock. */
export function handlePlansPage(deps: AppDeps, readStock: StockReader): RequestHandler {
  const { render, policy } = createPageRenderer(deps);
  const { contactEmail, operator } = deps;
  const offer = {
    ...presentPlans(deps),
    compared: comparePlans(deps),
    contactEmail,
    operator,
    sendsMail: deps.mails !== null,
  };
  return async (_req, res) => {
    // Plans can be bought while the index does not answer.
    const stock = await readStock().catch(() => null);
    const data = { ...offer, counts: stock?.counts.media ? stock.counts : null, samples: stock?.samples ?? [] };
    await answerPage(res, render({ page: 'plans', data, query: new URLSearchParams() }), policy);
  };
}

/** A thing that plans differ in: what there is of it without a plan, then with each. */
type Compared = readonly [what: string, ...of: (string | boolean)[]];

function comparePlans({ plans, formats, leadTools, rateLimits }: AppDeps): Compared[] {
  const titles = (things: readonly { title: string }[]) => andWords.format(things.map(({ title }) => title));
  const files = formats.filter(({ needsAddress }) => !needsAddress);
  const ofOutlets = files.filter(({ right }) => right === 'export_outlets');
  const gives = (right: Parameters<typeof allows>[2]) => (plan: PlanDefinition) => allows(plans, plan, right);
  const row = (
    label: string,
    without: string | boolean,
    cellOf: (plan: PlanDefinition) => string | boolean,
  ): Compared => [label, without, ...plans.map(cellOf)];
  const limits = (tier: string) => formatNumber(rateLimits[tier] ?? rateLimits.anonymous);
  const ofFiles = (plan: PlanDefinition) =>
    gives('export_all')(plan)
      ? `everything, as ${titles(files)}`
      : gives('export_outlets')(plan) && `outlets, as ${titles(ofOutlets)}`;
  return [
    row('Search, filters and counts', true, () => true),
    row('Email addresses', 'masked: j***@example.org', () => 'in full'),
    row('Lists with notes and statuses, saved searches', false, () => true),
    row('Exports', false, ofFiles),
    row(`Files for ${titles(formats.filter(({ needsAddress }) => needsAddress))}`, false, gives('export_all')),
    row(`Leads sent to campaigns in ${titles(leadTools)}`, false, gives('push')),
    row('Requests a minute, by program', limits('anonymous'), ({ tier }) => limits(tier)),
  ];
}

/** GET /sample.csv: what an export looks like, with masks in place of addresses. */
export function handleSampleFile({ formats: [csv] }: Pick<AppDeps, 'formats'>, readStock: StockReader): RequestHandler {
  return async (_req, res) => {
    const { samples } = await readStock();
    async function* batches() {
      yield samples;
    }
    const file = csv === undefined ? '' : await buffer(csv.write(batches()));
    res.attachment('masthead-sample.csv').send(file);
  };
}
