import { html } from '../dom.js';
import { locale } from '../locale.js';
import { Account } from './account.js';
import { useRoot } from './parts.js';

/**
 * What every page has around its content. Made on the server only: modules take over `#account` and `#page`.
 * @param {{ current: 'search' | 'lists' | 'plans' | 'docs' | null, contactEmail: string | null, children?: any }} props
 */
export function Frame({ current, contactEmail, children }) {
  const { frame } = locale.text;
  const root = useRoot();
  const mark = (/** @type {string} */ page) => (page === current ? 'page' : undefined);
  return html`<a class="skip" href="#page">${frame.skip}</a>
    <header class="top">
      <a class="brand" href=${root}>Masthead</a>
      <nav aria-label=${frame.mainNav}>
        <a href=${root} aria-current=${mark('search')}>${frame.search}</a>${' '}
        <a href="${root}lists" class="needs-script" aria-current=${mark('lists')}>${frame.lists}</a>${' '}
        <a href="${root}plans" aria-current=${mark('plans')}>${frame.plans}</a>${' '}
        <a href="${root}docs" aria-current=${mark('docs')}>${frame.api}</a>
      </nav>
      <div id="account"><${Account} account=${null} message="" hasKey=${false} /></div>
    </header>
    <main id="page" tabindex="-1">${children}</main>
    <footer class="bottom">
      <p><${OptOut} contactEmail=${contactEmail} /></p>
      <p>
        <a href="${root}docs">${frame.reference}</a> · <a href="${root}docs/errors">${frame.errors}</a> ·${' '}
        <a href="${root}openapi.json">${frame.openApi}</a>
      </p>
    </footer>`;
}

/** @param {{ contactEmail: string | null }} props */
function OptOut({ contactEmail }) {
  const { frame } = locale.text;
  if (contactEmail === null) return html`${frame.optOut} ${frame.optOutAsk}`;
  return html`${frame.optOut} ${frame.optOutWrite} <a href="mailto:${contactEmail}">${contactEmail}</a> ${frame.optOutRest}`;
}

/** The content of a page that is nothing without its module. */
export function NeedsScript() {
  const { frame } = locale.text;
  return html`<noscript><p class="hint">${frame.needsScript} ${frame.sameInApi} <a href="docs">${frame.api}</a>.</p></noscript>`;
}
