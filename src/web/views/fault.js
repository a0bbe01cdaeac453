import { html } from '../dom.js';
import { counted } from '../words.js';
import { useRoot } from './parts.js';

/**
 * An error of the API (RFC 9457), or of the connection. `retryAfter`: in seconds. `push`: counts of a push that failed midway.
 * @typedef {{ status: number, code: string, title: string, detail: string, errors: FieldError[], retryAfter: number | null, push?: import('../push.js').Counts }} Fault
 * @typedef {{ name: string, code: string, message: string, did_you_mean?: string }} FieldError
 */

/** For errors whose own words are for programs: what the error means for people, and what to do. @type {Record<string, readonly [string, string]>} */
const explained = {
  invalid_request: ['This search is not valid', 'Change or remove the part named below.'],
  page_too_deep: [
    'No more pages',
    'You can page through the first 10,000 results. Narrow the search, or export all of them.',
  ],
  key_missing: ['This needs a plan', 'Sign in above, or choose a plan.'],
  key_invalid: [
    'This key is not accepted',
    'It is mistyped, unknown or was replaced. Enter it again, or continue without one.',
  ],
  code_invalid: [
    'This code does not work',
    'It is mistyped, used or over: a code works once, for ten minutes (in a mail fifteen) and five tries. Get a new one below.',
  ],
  plan_required: ['Your plan does not include this', 'See the plans for one that does.'],
  plan_expired: [
    'Your plan has ended',
    'Addresses are masked, and lists can only be read and deleted, until you buy again.',
  ],
  not_found: ['Not found', 'It may have been removed. Search for it by its name.'],
  rate_limited: ['Too many requests in a minute', 'You have used up the requests for this minute.'],
  idempotency_conflict: ['Something else was sent under this number', 'Press Preview and send again.'],
  tool_key_rejected: ['The tool does not accept its key', 'Check the key for the tool. Nothing was sent.'],
  campaign_not_found: ['The tool does not have this campaign', 'Check the campaign ID. Nothing was sent.'],
  tool_failed: ['The tool failed', 'Send again later: no lead is added twice.'],
  payment_failed: ['The payment could not be started', 'Nothing was bought. Try again in a moment.'],
  internal: ['Something went wrong', 'The service failed and logged the error. Try again in a moment.'],
  search_unavailable: ['Search is not available right now', 'It should be back soon.'],
  store_unavailable: ['The service is not available right now', 'It should be back soon.'],
  unreachable: ['The service cannot be reached', 'Check your connection.'],
};

/** What an error means for a person, and what to do about it. @param {Fault} fault */
export function explain({ code, title, detail, retryAfter }) {
  const [name, advice] = (Object.hasOwn(explained, code) ? explained[code] : undefined) ?? [title, detail];
  const wait = retryAfter === null ? '' : `Try again in ${counted(retryAfter, 'second')}.`;
  return { title: name, advice, wait };
}

/** A page that shows an error alone, with where to go on. @param {{ fault: Fault }} props */
export function FaultPage({ fault }) {
  const root = useRoot();
  return html`<${FaultCard} level="h1" fault=${fault}>
    <p>${fault.status >= 500 ? html`<a class="button" href="">Try again</a>` : html`<a class="button" href=${root}>Search media and people</a>`}</p>
  </${FaultCard}>`;
}

/** An error, shown instead of what failed. @param {{ fault: Fault, level?: string, children?: any }} props */
export function FaultCard({ fault, level = 'h2', children }) {
  const { title, advice, wait } = explain(fault);
  return html`<div class="fault" role="alert">
    <${level}>${title}</${level}>
    <p>${advice} <span aria-live="off">${wait}</span></p>
    ${children}
  </div>`;
}

/** An error in one line, with the message for each wrong field. @param {{ fault: Fault }} props */
export function FaultLine({ fault }) {
  const { title, advice, wait } = explain(fault);
  const details =
    fault.errors.length === 0 ? `${advice} ${wait}` : fault.errors.map(({ message }) => message).join(' ');
  return html`<p class="wrong" role="alert">
    <strong>${title}.</strong> ${details} ${fault.status === 403 ? html`<a href="plans">See plans</a>` : null}
  </p>`;
}
