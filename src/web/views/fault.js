import { html } from '../dom.js';
import { locale } from '../locale.js';

/**
 * What the API says of an error (RFC 9457), or of a connection that failed. `retryAfter` in seconds.
 * `push`: the counts of a push that failed midway.
 * @typedef {{ status: number, code: string, detail: string, errors: FieldError[], retryAfter: number | null, push?: import('./push.js').Counts }} Fault
 * @typedef {{ name: string, code: string, message: string, did_you_mean?: string }} FieldError
 */

/**
 * What an error means for a person, and what to do about it. `retries`: whether the page tries again by itself.
 * @param {Fault} fault
 */
export function explain({ code, retryAfter }, retries = false) {
  const { text } = locale;
  const [title = '', advice = ''] = text.fault.byCode[code] ?? text.fault.byCode.internal ?? [];
  if (retryAfter === null) return { title, advice };
  return { title, advice: `${advice} ${retries ? text.fault.retries(retryAfter) : text.fault.wait(retryAfter)}` };
}

/** What is wrong in detail: with each part that the API names, or at all. @param {{ fault: Fault }} props */
export function FaultDetails({ fault }) {
  if (fault.errors.length === 0) return html`<span>${fault.detail}</span>`;
  return fault.errors.map(({ message }) => html`<span>${message}</span>${' '}`);
}

/** An error that leaves nothing to do on its page. @param {{ fault: Fault }} props */
export function FaultNote({ fault }) {
  const { text } = locale;
  const { title, advice } = explain(fault);
  return html`<div class="fault" role="alert">
    <h1>${title}</h1>
    <p>${advice}</p>
    ${fault.retryAfter === null ? null : html`<a class="button" href="">${text.fault.again}</a>`}
  </div>`;
}

/**
 * An error in the place of what it prevents. `retries`: whether the page tries again by itself. `urlOfFix` and `urlWithout`: where the page is shown with the right word,
 * and without the wrong part. `fixable`: for how many errors there is room for both links.
 * @param {{ fault: Fault, retries: boolean, fixable: number, urlOfFix: (error: FieldError) => string, urlWithout: (name: string) => string, urlAgain: string }} props
 */
export function FaultCard({ fault, retries, fixable, urlOfFix, urlWithout, urlAgain }) {
  const { text } = locale;
  const { title, advice } = explain(fault, retries);
  return html`<div class="fault" role="alert">
    <h3>${title}</h3>
    <p>${advice}</p>
    ${
      fault.errors.length > 0
        ? html`<ul>
            ${fault.errors.map(
              (error, index) => html`<li>
                ${error.message}${' '}
                ${
                  error.did_you_mean === undefined || index >= fixable
                    ? null
                    : html`<a class="button" href=${urlOfFix(error)}>${text.fault.use(error.did_you_mean)}</a>${' '}`
                }
                ${index >= fixable ? null : html`<a href=${urlWithout(error.name)}>${text.fault.remove(error.name)}</a>`}
              </li>`,
            )}
          </ul>`
        : html`<p class="note"><${FaultDetails} fault=${fault} /></p>`
    }
    ${fault.status === 400 ? null : html`<a class="button" href=${urlAgain}>${text.fault.again}</a>`}
  </div>`;
}
