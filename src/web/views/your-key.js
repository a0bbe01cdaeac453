import { html } from '../html.js';
import { useLocale } from '../locale.js';
import { explain } from './fault.js';
import { KeyCard } from './key-card.js';
import { Usage } from './usage.js';

/**
 * What the key gives, as GET /me says.
 * @typedef {import('./account.js').KeyPlan & { key_prefix: string, order_id: string | null, billing_portal_url: string | null, old_key_expires_at?: string }} KeyDetails
 * A key that replaced the tab's. @typedef {{ api_key: string, old_key_expires_at: string }} NewKey
 */

/** How long the old key can go on, in hours. */
const overlaps = [0, 1, 24, 72];
const usualOverlap = 24;

/**
 * The page of the tab's key. `account`: null without one, or until it is known; `rotated`: the key that replaced it, while it is
 * shown.
 * @param {{ account: KeyDetails | null, hasKey: boolean, days: readonly import('./usage.js').UsageDay[] | null, rotated: NewKey | null, fault: import('./fault.js').Fault | null, isBusy: boolean, onRotate: (event: any) => void, onCopy: () => void }} props
 */
export function YourKey({ account, hasKey, days, rotated, fault, isBusy, onRotate, onCopy }) {
  const { text } = useLocale();
  const { key: words, search } = text;
  return html`<h1>${words.heading}</h1>
    ${fault === null ? null : html`<${KeyFault} fault=${fault} />`}
    ${rotated === null ? null : html`<${RotatedKey} rotated=${rotated} onCopy=${onCopy} />`}
    ${
      account !== null
        ? html`<${Plan} account=${account} />
            ${days === null ? null : html`<${Usage} days=${days} />`}
            <${Rotate} isBusy=${isBusy} onRotate=${onRotate} />`
        : hasKey
          ? html`<p role="status">${search.searching}</p>`
          : html`<p class="hint">${words.none} <a href="plans">${words.seePlans}</a> · <a href="claim">${text.plans.claim}</a></p>`
    }`;
}

/** @param {{ fault: import('./fault.js').Fault }} props */
function KeyFault({ fault }) {
  const { title, advice } = explain(fault, useLocale().text);
  return html`<div class="fault" role="alert">
    <h2>${title}</h2>
    <p>${advice}</p>
  </div>`;
}

/** @param {{ account: KeyDetails }} props */
function Plan({ account }) {
  const { text, date, word } = useLocale();
  const { key: words, plans } = text;
  const { plan, status, expires_at: end, key_prefix: prefix, order_id: order, billing_portal_url: portal } = account;
  const name = word(plan);
  /** @type {[string, any][]} */
  const rows = [
    [words.plan, name],
    [
      words.end,
      html`<time datetime=${end}>${date(end)}</time>${status === 'expired' ? html` <strong>${words.ended}</strong>` : null}`,
    ],
    [words.prefix, html`<code>${prefix}…</code>`],
    ...(order === null ? [] : /** @type {[string, any][]} */ ([[words.order, html`<code>${order}</code>`]])),
    ...(account.old_key_expires_at === undefined
      ? []
      : /** @type {[string, any][]} */ ([
          [words.replaced, html`<strong>${words.replacedUntil(date(account.old_key_expires_at))}</strong>`],
        ])),
  ];
  return html`<section class="card key-part" aria-labelledby="plan">
    <h2 id="plan">${words.plan}</h2>
    <dl>${rows.map(([label, value]) => html`<div key=${label}><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
    <p class="list-bar">
      <a class="button" href="plans">${plans.renew(name)}</a>
      ${portal === null ? null : html`<a href=${portal} rel="noopener noreferrer">${words.portal}</a>`}
    </p>
  </section>`;
}

/** @param {{ isBusy: boolean, onRotate: (event: any) => void }} props */
function Rotate({ isBusy, onRotate }) {
  const { key: words } = useLocale().text;
  return html`<section class="card key-part" aria-labelledby="rotate">
    <h2 id="rotate">${words.rotate}</h2>
    <p>${words.rotateLead}</p>
    <form class="list-bar" method="dialog" onSubmit=${onRotate}>
      <label
        >${words.overlap}${' '}
        <select name="overlap">
          ${overlaps.map((hours) => html`<option key=${hours} value=${hours} selected=${hours === usualOverlap}>${words.hours(hours)}</option>`)}
        </select>
      </label>
      <button disabled=${isBusy}>${words.rotateNow}</button>
    </form>
  </section>`;
}

/** @param {{ rotated: NewKey, onCopy: () => void }} props */
function RotatedKey({ rotated, onCopy }) {
  const { text, moment } = useLocale();
  const { key: words } = text;
  return html`<${KeyCard} heading=${words.here} apiKey=${rotated.api_key} onCopy=${onCopy}>
    <p>${words.oldUntil(moment(rotated.old_key_expires_at))}</p>
  </${KeyCard}>`;
}
