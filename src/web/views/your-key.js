import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { counted, date, moment, word } from '../words.js';
import { FaultCard } from './fault.js';
import { Rows } from './media.js';
import { KeyCard } from './parts.js';
import { Usage } from './usage.js';

/**
 * As GET /me says.
 * @typedef {import('./frame.js').KeyPlan & { key_prefix: string, order_id: string | null,
 *   billing_portal_url: string | null, old_key_expires_at?: string }} KeyDetails
 * @typedef {{ api_key: string, old_key_expires_at: string }} NewKey that replaced the tab's
 * @typedef {{ id: string, browser: string, created_at: string, expires_at: string, current: boolean }} Session
 */

/**
 * `account`: null without a key, or until it is known. `rotated`: the new key, while it is shown.
 * @param {{ account: KeyDetails | null, hasKey: boolean, days: readonly import('./usage.js').UsageDay[] | null, rotated: NewKey | null, fault: import('./fault.js').Fault | null, isBusy: boolean, onRetry: () => void, onRotate: (event: any) => void, sessions: readonly Session[], onEnd: (id: string) => void }} props
 */
export function YourKey({ account, hasKey, days, rotated, fault, isBusy, sessions, ...on }) {
  return html`<div class="key-page"><h1>Your key and its use</h1>
    ${fault === null ? null : html`<${FaultCard} fault=${fault}><button type="button" onClick=${on.onRetry}>Try again now</button></${FaultCard}>`}
    ${
      rotated === null
        ? null
        : html`<${KeyCard} heading="Here is your new key" apiKey=${rotated.api_key}>
            <p>The old key works until ${moment(rotated.old_key_expires_at)}.</p>
          </${KeyCard}>`
    }
    ${
      account !== null
        ? html`<${Plan} account=${account} />
            ${days === null ? null : html`<${Usage} days=${days} />`}
            ${sessions.length === 0 ? null : html`<${Sessions} sessions=${sessions} onEnd=${on.onEnd} />`}
            ${rotated === null ? html`<${Rotate} isBusy=${isBusy} onRotate=${on.onRotate} />` : null}`
        : hasKey
          ? fault === null && html`<p role="status">Looking up your key…</p>`
          : html`<p class="hint">
              Enter your key above to see its plan and use. You have none? <a href="plans">See the plans</a> ·${' '}
              <a href="claim">Claim your key</a>
            </p>`
    }</div>`;
}

/** @param {{ account: KeyDetails }} props */
function Plan({ account }) {
  const {
    plan,
    status,
    expires_at: end,
    order_id: order,
    billing_portal_url: portal,
    old_key_expires_at: until,
  } = account;
  return html`<section class="card key-part" aria-labelledby="plan">
    <h2 id="plan">Plan</h2>
    <${Rows}
      rows=${[
        ['Plan', word(plan)],
        [
          'Ends',
          html`<time datetime=${end}>${date(end)}</time>${status === 'expired' ? html` <strong>ended</strong>` : null}`,
        ],
        ['Key', html`<code>${account.key_prefix}…</code>`],
        ['Order', order && html`<code>${order}</code>`],
        ['Replaced', until && html`<strong>This key was replaced. It works until ${date(until)}.</strong>`],
      ]}
    />
    <p class="list-bar">
      <a class="button" href="plans">Renew ${word(plan)}</a>
      ${portal === null ? null : html`<a href=${portal} rel="noopener noreferrer">Payments and invoices</a>`}
    </p>
  </section>`;
}

/** @param {{ sessions: readonly Session[], onEnd: (id: string) => void }} props */
function Sessions({ sessions, onEnd }) {
  return html`<section class="card key-part" aria-labelledby="sessions">
    <h2 id="sessions">Signed in</h2>
    <ul role="list">
      ${sessions.map(
        ({ id, browser, created_at, expires_at, current }) => html`<li key=${id} class="list-bar">
          <strong>${browser}</strong> <span>since ${date(created_at)}, at most until ${date(expires_at)}</span>
          ${
            current
              ? html`<span>this browser</span>`
              : html`<button type="button" class="quiet" onClick=${() => onEnd(id)}>Sign out<span class="unseen">${' '}${browser}</span></button>`
          }
        </li>`,
      )}
    </ul>
  </section>`;
}

/** How long the old key can go on, in hours. */
const overlaps = [0, 1, 24, 72];
const usualOverlap = 24;

/**
 * The service does not say whether the key before this one still works: if so, this one ends at once (decisions/0056).
 * @param {{ isBusy: boolean, onRotate: (event: any) => void }} props
 */
function Rotate({ isBusy, onRotate }) {
  const [hours, choose] = useState(usualOverlap);
  const risk =
    hours === 0
      ? 'This key ends at once. Should the answer be lost on its way, no key works until the operator of this service gives you another.'
      : 'If this key replaced another one that still works (up to 3 days), this key ends at once, whatever is chosen here.';
  return html`<section class="card key-part" aria-labelledby="rotate">
    <h2 id="rotate">Replace the key</h2>
    <p>
      You get a new key for the same plan. The old one goes on for a while, so that you can change it in one program after
      another. After a leak, end it at once.
    </p>
    <form class="list-bar" method="dialog" onSubmit=${onRotate}>
      <label
        >The old key goes on for${' '}
        <select name="overlap" onChange=${(/** @type {any} */ event) => choose(Number(event.target.value))}>
          ${overlaps.map((each) => html`<option key=${each} value=${each} selected=${each === hours}>${each === 0 ? 'no time: it ends at once' : counted(each, 'hour')}</option>`)}
        </select>
      </label>
      <label class="choice" key=${risk}><input type="checkbox" required autocomplete="off" /> <span>${risk}</span></label>
      <button aria-disabled=${isBusy}>Replace key</button>
    </form>
  </section>`;
}
