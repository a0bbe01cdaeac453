import { html } from '../dom.js';
import { counted, date, moment, word } from '../words.js';
import { FaultCard } from './fault.js';
import { Rows } from './media.js';
import { OrderLine } from './order-line.js';
import { KeyCard } from './parts.js';
import { LinkByMail, MailedLink, OtherDevice, SignInByCode } from './sign-in.js';

/**
 * What GET /me answers.
 * @typedef {import('./frame.js').KeyPlan & { key_prefix: string,
 *   billing_portal_url: string | null, old_key_expires_at?: string }} KeyDetails
 * @typedef {{ api_key: string, old_key_expires_at: string }} NewKey that replaced the tab's
 * @typedef {{ requests: number, exported_rows: number, pushed_leads: number }} UsageDay
 * @typedef {{ id: string, name: string, scopes: readonly string[], key_prefix: string }} ProgramKey
 * @typedef {ProgramKey & { api_key: string }} MadeKey
 * @typedef {{ id: string, browser: string, created_at: string, expires_at: string, current: boolean }} Session
 */

/**
 * `account`: null without a key, or until it is known. `rotated`, `made`: a new key, while it is shown.
 * @param {{ account: KeyDetails | null, hasKey: boolean, days: readonly UsageDay[] | null, rotated: NewKey | null, fault: import('./fault.js').Fault | null, isBusy: boolean, onRetry: () => void, onRotate: (event: any) => void, sessions: readonly Session[], onEnd: (id: string) => void, keys: readonly ProgramKey[], orders: readonly import('./order-line.js').Order[], made: MadeKey | null, code: import('./sign-in.js').SignInCode | null, onCode: () => void, onRedeem: (event: any) => void, isMailed: boolean, onOpen: () => void, isAsked: boolean, sendsMail: boolean, onAsk: (event: any) => void, onMake: (event: any) => void, onDelete: (id: string) => void }} props
 */
export function YourKey({
  account,
  hasKey,
  days,
  rotated,
  fault,
  isBusy,
  sessions,
  keys,
  orders,
  made,
  code,
  isMailed,
  isAsked,
  sendsMail,
  ...on
}) {
  return html`<h1>Your key and its use</h1>
    ${
      fault === null
        ? null
        : html`<${FaultCard} fault=${fault}>
          ${fault.code === 'code_invalid' ? null : html`<button type="button" onClick=${on.onRetry}>Try again now</button>`}
        </${FaultCard}>`
    }
    ${isMailed ? html`<${MailedLink} isBusy=${isBusy} onOpen=${on.onOpen} />` : null}
    ${
      rotated === null
        ? null
        : html`<${KeyCard} heading="Here is your new key" apiKey=${rotated.api_key}>
            <p>The old key works until ${moment(rotated.old_key_expires_at)}.</p>
          </${KeyCard}>`
    }
    ${made && html`<${KeyCard} heading="Here is the key for ${made.name}" apiKey=${made.api_key} />`}
    ${
      account !== null
        ? html`<div class="tiles">
            <${Plan} account=${account} days=${days} />
            ${orders.length === 0 ? null : html`<${Orders} orders=${orders} />`}
            ${sessions.length === 0 ? null : html`<${Sessions} sessions=${sessions} onEnd=${on.onEnd} />`}
            ${account.scopes ? null : html`<${OtherDevice} code=${code} isBusy=${isBusy} onCode=${on.onCode} />`}
            ${account.scopes ? null : html`<${ProgramKeys} keys=${keys} isBusy=${isBusy} ...${on} />`}
            ${rotated === null && !account.scopes ? html`<${Rotate} isBusy=${isBusy} onRotate=${on.onRotate} />` : null}
          </div>`
        : hasKey
          ? fault === null && html`<p role="status">Looking up your key…</p>`
          : html`<p class="hint">
                Sign in above to see your plan and its use. You have none? <a href="plans">See the plans</a> ·${' '}
                <a href="claim">Claim your key</a>. You
                lost it? A browser that is still signed in makes another one on this page; otherwise ask the operator, and give the order number.
              </p>
              <div class="tiles">
                <${SignInByCode} isBusy=${isBusy} onRedeem=${on.onRedeem} />
                ${sendsMail ? html`<${LinkByMail} isAsked=${isAsked} isBusy=${isBusy} onAsk=${on.onAsk} />` : null}
              </div>`
    }`;
}

/** @param {{ account: KeyDetails, days: readonly UsageDay[] | null }} props */
function Plan({ account, days }) {
  const sum = (/** @type {'requests' | 'exported_rows' | 'pushed_leads'} */ measure) =>
    days?.reduce((total, day) => total + day[measure], 0) ?? 0;
  const exported = sum('exported_rows');
  const sent = sum('pushed_leads');
  const use = [
    counted(sum('requests'), 'request'),
    exported > 0 && counted(exported, 'exported row'),
    sent > 0 && `${counted(sent, 'lead')} sent to campaigns`,
  ];
  const { plan, status, expires_at: end, billing_portal_url: portal, old_key_expires_at: until } = account;
  return html`<section class="card" aria-labelledby="plan">
    <h2 id="plan">Plan</h2>
    <${Rows}
      rows=${[
        ['Plan', word(plan)],
        [status === 'expired' ? 'Ended' : 'Ends', html`<time datetime=${end}>${date(end)}</time>`],
        ['Key', html`<code>${account.key_prefix}…</code>`],
        ['Last 30 days', days && use.filter(Boolean).join(', ')],
        ['Replaced', until && html`<strong>This key was replaced. It works until ${date(until)}.</strong>`],
      ]}
    />
    <p class="line">
      <a class="button" href="plans">Renew ${word(plan)}</a>
      ${portal === null ? null : html`<a href=${portal} rel="noopener noreferrer">Payments and invoices</a>`}
    </p>
  </section>`;
}

/** @param {{ orders: readonly import('./order-line.js').Order[] }} props */
function Orders({ orders }) {
  return html`<section class="card" aria-labelledby="orders">
    <h2 id="orders">Orders</h2>
    <ul role="list">
      ${orders.map(
        (order) => html`<li key=${order.order_id} class="line">
          <span><${OrderLine} order=${order} /></span> <code class="note">${order.order_id}</code>
        </li>`,
      )}
    </ul>
  </section>`;
}

/** @param {{ sessions: readonly Session[], onEnd: (id: string) => void }} props */
function Sessions({ sessions, onEnd }) {
  return html`<section class="card" aria-labelledby="sessions">
    <h2 id="sessions">Signed in</h2>
    <ul role="list">
      ${sessions.map(
        ({ id, browser, created_at, expires_at, current }) => html`<li key=${id} class="line">
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

const scopes = { search: 'Search', export: 'Export and changes', push: 'Send to campaigns', lists: 'Lists' };

/** @param {{ keys: readonly ProgramKey[], isBusy: boolean, onMake: (event: any) => void, onDelete: (id: string) => void }} props */
function ProgramKeys({ keys, isBusy, onMake, onDelete }) {
  return html`<section class="card" aria-labelledby="program-keys">
    <h2 id="program-keys">Keys for programs</h2>
    <p>They share your plan and its limits, do only what you tick, and end with the key of this page.</p>
    <ul role="list">
      ${keys.map(
        ({ id, name, scopes: allowed, key_prefix }) => html`<li key=${id} class="line">
          <strong dir="auto">${name}</strong> <span><code>${key_prefix}…</code> ${allowed.map((scope) => scopes[/** @type {keyof typeof scopes} */ (scope)]).join(', ')}</span>
          <button type="button" class="quiet" onClick=${() => onDelete(id)}>Delete<span class="unseen">${' '}${name}</span></button>
        </li>`,
      )}
    </ul>
    <form method="dialog" onSubmit=${onMake}>
      <label for="program">Program</label>
      <input id="program" name="name" maxlength="80" required autocomplete="off" dir="auto" />
      ${Object.entries(scopes).map(
        ([scope, label]) =>
          html`<label key=${scope} class="choice"><input type="checkbox" name="scopes" value=${scope} autocomplete="off" /> <span>${label}</span></label>`,
      )}
      <button aria-disabled=${isBusy}>Make key</button>
    </form>
  </section>`;
}

/**
 * The service does not say whether an older key still works. If one does, this key ends as soon as it is replaced (decisions/0056).
 * @param {{ isBusy: boolean, onRotate: (event: any) => void }} props
 */
function Rotate({ isBusy, onRotate }) {
  return html`<section class="card" aria-labelledby="rotate">
    <h2 id="rotate">Replace the key</h2>
    <p>
      You lost the key, or never copied it? You get a new one for the same plan. The old one works for another 24 hours, so that you can change it in one program
      after another; it ends at once if it replaced a key that still works.
    </p>
    <form method="dialog" onSubmit=${onRotate}>
      <label class="choice"><input type="checkbox" name="leaked" autocomplete="off" /> <span>The old key leaked: end it at once</span></label>
      <p class="note">Should the answer be lost on its way, only the operator can then give you another.</p>
      <button aria-disabled=${isBusy}>Replace key</button>
    </form>
  </section>`;
}
