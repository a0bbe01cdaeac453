import { html } from '../dom.js';
import { date, word } from '../words.js';
import { Popup, useRoot } from './parts.js';

/** Who runs the service; null where that is not known. @typedef {{ name: string | null, termsUrl: string | null, privacyUrl: string | null, refundDays: number | null }} Operator */
/**
 * What every page has around its content. Only the server renders it: modules take over `#account` and `#page`, not the frame.
 * @param {{ current: 'search' | 'lists' | 'plans' | 'docs' | null, contactEmail: string | null, operator: Operator, children?: any }} props
 */
export function Frame({ current, contactEmail, operator, children }) {
  const root = useRoot();
  const mark = (/** @type {string} */ page) => (page === current ? 'page' : undefined);
  return html`<a class="skip" href="#page">Skip to the content</a>
    <header class="top line">
      <a class="brand" href=${root}>Masthead</a>
      <nav class="line" aria-label="Main">
        <a href=${root} aria-current=${mark('search')}>Search</a>${' '}
        <a href="${root}lists" class="needs-script" aria-current=${mark('lists')}>Lists</a>${' '}
        <a href="${root}plans" aria-current=${mark('plans')}>Plans</a>${' '}
        <a href="${root}docs" aria-current=${mark('docs')}>Docs</a>
      </nav>
      <div id="account" class="line"><${Account} account=${null} message="" /></div>
    </header>
    <main id="page" tabindex="-1">${children}</main>
    <footer class="bottom line">
      <p class="line"><${OperatorLinks} ...${operator} /></p>
      <p>
        Are you listed here and want to be removed?${' '}
        ${
          contactEmail === null
            ? 'Ask the operator of this service to hide it.'
            : html`Write to <a href="mailto:${contactEmail}">${contactEmail}</a> with the outlet or the address, and it will be
                hidden everywhere, for good.`
        }
      </p>
    </footer>`;
}

/** @param {Operator} props */
function OperatorLinks({ name, termsUrl, privacyUrl }) {
  return html`${name === null ? null : html`<span>${name}</span>`}
    ${termsUrl === null ? null : html`<a href=${termsUrl}>Terms</a>`}
    ${privacyUrl === null ? null : html`<a href=${privacyUrl}>Privacy</a>`}`;
}

/** The plan of the tab's key; `scopes` if it was made for a program. @typedef {{ plan: string, status: 'active' | 'expired', expires_at: string, scopes?: readonly string[] }} KeyPlan */
/**
 * Until its module is loaded the form does nothing (`method="dialog"`), so the key cannot get into a URL.
 * @param {{ account: KeyPlan | null, message: string, onSubmit?: (event: any) => void, onForget?: () => void }} props
 */
export function Account({ account, message, onSubmit, onForget }) {
  const root = useRoot();
  if (account !== null) {
    const { plan, status, expires_at: end } = account;
    return html`<p class="plan chip chosen" role="status">
        <a href="${root}account"><strong>${word(plan)}</strong></a>${' '}
        ${status === 'active' ? html`<span>until ${date(end)}</span>` : html`ended<span> on ${date(end)}</span>. <a href="${root}plans">Buy again</a>`}
      </p>
      <button type="button" class="quiet" onClick=${onForget}>Sign out</button>`;
  }
  return html`<${Popup} id="enter-key" shown="Sign in" class="quiet needs-script" opened=${message !== ''}>
    <form method="dialog" onSubmit=${onSubmit}>
      <label for="key">Your key</label>
      <input id="key" name="key" type="password" autofocus autocomplete="off" spellcheck=${false} required aria-describedby="key-note" />
      <label class="choice"><input type="checkbox" name="stay" autocomplete="off" /> <span>Stay signed in on this device</span></label>
      <button>Sign in</button>
      <p id="key-note" class="note">On a shared computer, leave it unticked: the key is forgotten when you close this tab.</p>
      <p><a href="${root}account">Sign in by a code of another device</a></p>
      <p class="wrong" role="alert">${message}</p>
    </form>
  </${Popup}>`;
}

export function NeedsScript() {
  return html`<noscript><p class="hint">This page needs JavaScript. The same is in the <a href="docs">API</a>.</p></noscript>`;
}
