import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { explain } from './fault.js';
import { KeyCard } from './parts.js';
import { Usage } from './usage.js';

/**
 * What the key gives, as GET /me says.
 * @typedef {import('./account.js').KeyPlan & { key_prefix: string, order_id: string | null, billing_portal_url: string | null, old_key_expires_at?: string }} KeyDetails
 * A key that replaced the tab's. `isUsed`: whether the tab has it now.
 * @typedef {{ api_key: string, old_key_expires_at: string, isUsed: boolean }} NewKey
 * @typedef {import('./fault.js').Fault} Fault
 * A browser that is signed in.
 * @typedef {{ id: string, browser: string, created_at: string, expires_at: string, current: boolean }} Session
 */

/** How long the old key can go on, in hours. */
const overlaps = [0, 1, 24, 72];
const usualOverlap = 24;

/**
 * The page of the tab's key. `account`: null without one, or until it is known; `accountFault`, `usageFault` and `fault`: why the
 * account and the use are not known, and why the key was not replaced; `lost`: the key that may have ended unseen; `rotated`: the
 * key that replaced it, while it is shown.
 * @param {{ account: KeyDetails | null, hasKey: boolean, days: readonly import('./usage.js').UsageDay[] | null, rotated: NewKey | null, accountFault: Fault | null, usageFault: Fault | null, fault: Fault | null, lost: KeyDetails | null, isBusy: boolean, onRetry: () => void, onRotate: (event: any) => void, onCopy: () => void, sessions: readonly Session[], onEnd: (id: string) => void }} props
 */
export function YourKey({
  account,
  hasKey,
  days,
  rotated,
  fault,
  lost,
  isBusy,
  onRotate,
  onCopy,
  sessions,
  onEnd,
  ...props
}) {
  const { text } = locale;
  const { key: words } = text;
  const lookUpFault = props.accountFault ?? props.usageFault;
  return html`<div class="key-page"><h1>${words.heading}</h1>
    ${fault === null ? null : html`<${KeyFault} fault=${fault} />`}
    ${lost === null ? null : html`<p class="wrong" role="alert">${words.lost(lost.key_prefix, lost.order_id)}</p>`}
    ${rotated === null ? null : html`<${RotatedKey} rotated=${rotated} onCopy=${onCopy} />`}
    ${lookUpFault === null ? null : html`<${KeyFault} fault=${lookUpFault} retries=${props.accountFault !== null} onRetry=${props.onRetry} />`}
    ${
      account !== null
        ? html`<${Plan} account=${account} />
            ${days === null ? null : html`<${Usage} days=${days} />`}
            ${sessions.length === 0 ? null : html`<${Sessions} sessions=${sessions} onEnd=${onEnd} />`}
            ${rotated === null ? html`<${Rotate} account=${account} isBusy=${isBusy} onRotate=${onRotate} />` : null}`
        : hasKey
          ? props.accountFault === null && html`<p role="status">${words.lookingUp}</p>`
          : html`<p class="hint">${words.none} <a href="plans">${words.seePlans}</a> · <a href="claim">${text.plans.claim}</a></p>`
    }</div>`;
}

/** @param {{ fault: Fault, retries?: boolean, onRetry?: () => void }} props */
function KeyFault({ fault, retries = false, onRetry }) {
  const { text } = locale;
  const { title, advice } = explain(fault, retries);
  return html`<div class="fault" role="alert">
    <h2>${title}</h2>
    <p>${advice}</p>
    ${onRetry === undefined ? null : html`<button type="button" onClick=${onRetry}>${text.fault.again}</button>`}
  </div>`;
}

/** @param {{ account: KeyDetails }} props */
function Plan({ account }) {
  const { text, date, word } = locale;
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

/** @param {{ sessions: readonly Session[], onEnd: (id: string) => void }} props */
function Sessions({ sessions, onEnd }) {
  const { text, date } = locale;
  const { key: words } = text;
  return html`<section class="card key-part" aria-labelledby="sessions">
    <h2 id="sessions">${words.sessions}</h2>
    <ul role="list">
      ${sessions.map(
        ({ id, browser, created_at, expires_at, current }) => html`<li key=${id} class="list-bar">
          <strong>${browser}</strong> <span>${words.since(date(created_at), date(expires_at))}</span>
          ${
            current
              ? html`<span>${words.thisBrowser}</span>`
              : html`<button type="button" class="quiet" onClick=${() => onEnd(id)}>
                  ${text.account.signOut}<span class="unseen">${' '}${browser}</span>
                </button>`
          }
        </li>`,
      )}
    </ul>
  </section>`;
}

/**
 * Asks for a confirmation of what may surprise. Whether the key before this one still works, the service does not say: then this
 * one ends at once, whatever is chosen (decisions/0056).
 * @param {{ account: KeyDetails, isBusy: boolean, onRotate: (event: any) => void }} props
 */
function Rotate({ account, isBusy, onRotate }) {
  const { key: words } = locale.text;
  const [hours, choose] = useState(usualOverlap);
  const isOld = account.old_key_expires_at !== undefined;
  const risk = hours === 0 ? words.endsNow : isOld ? words.newerEnds : words.mayEnd;
  return html`<section class="card key-part" aria-labelledby="rotate">
    <h2 id="rotate">${words.rotate}</h2>
    <p>${words.rotateLead}</p>
    <form class="list-bar" method="dialog" onSubmit=${onRotate}>
      <label
        >${words.overlap}${' '}
        <select name="overlap" onChange=${(/** @type {any} */ event) => choose(Number(event.target.value))}>
          ${overlaps.map((each) => html`<option key=${each} value=${each} selected=${each === hours}>${words.hours(each)}</option>`)}
        </select>
      </label>
      <label class="choice" key=${risk}><input type="checkbox" required autocomplete="off" /> <span>${risk}</span></label>
      <button aria-disabled=${isBusy}>${words.rotateNow}</button>
    </form>
  </section>`;
}

/** @param {{ rotated: NewKey, onCopy: () => void }} props */
function RotatedKey({ rotated, onCopy }) {
  const { text, moment } = locale;
  const { key: words } = text;
  return html`<${KeyCard} heading=${words.here} apiKey=${rotated.api_key} onCopy=${onCopy}>
    <p>${rotated.isUsed ? words.used : words.notUsed} ${words.oldUntil(moment(rotated.old_key_expires_at))}</p>
  </${KeyCard}>`;
}
