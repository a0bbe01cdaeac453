import { useRef, useState } from 'preact/hooks';
import { html, randomText } from '../dom.js';
import { locale } from '../locale.js';
import { explain, FaultDetails } from './fault.js';

/**
 * What the API says of a push, also of one that failed midway: its counts, by their names in the contract.
 * @typedef {Record<string, any> & { tool: string, campaign_id: string }} Counts
 * What was found to push: how many, and the first of them.
 * @typedef {{ total: number, results: { id: string, name: string, contact_name: string | null, email: string }[] }} Preview
 * @typedef {import('./fault.js').Fault} Fault
 */

/** The counts that are shown, in the order in which they add up; the first ones always, the others where there are some. */
const always = ['matched', 'sent', 'added'];
const order = [
  'matched',
  'without_email',
  'repeated',
  'sent',
  'added',
  'duplicates',
  'invalid',
  'blocked',
  'skipped',
  'failed',
];

/**
 * Hands records to a campaign of an outbound tool: first a preview, then the push, then its counts. The tool's key is in the field
 * alone, and goes into the body of one request.
 * @param {{ tools: readonly { name: string, title: string }[], look: () => Promise<Preview | { fault: Fault }>, send: (order: { tool: string, campaign_id: string, api_key: string }, once: string) => Promise<Counts | { fault: Fault }> }} props
 */
export function Push({ tools, look, send }) {
  const { push } = locale.text;
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  /** Makes the same push one push, however often it is sent: a lost answer can be asked for again. */
  const once = useRef('');
  const [preview, setPreview] = useState(/** @type {Preview | null} */ (null));
  const [counts, setCounts] = useState(/** @type {Counts | null} */ (null));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const [isSending, setSending] = useState(false);

  const onLook = async (/** @type {any} */ event) => {
    event.preventDefault();
    if (isSending) return;
    setCounts(null);
    const found = await look();
    const isFault = 'fault' in found;
    setFault(isFault ? found.fault : null);
    setPreview(isFault ? null : found);
    once.current = randomText();
  };
  const onSend = async () => {
    if (isSending || form.current === null || !form.current.reportValidity()) return;
    const given = /** @type {any} */ (Object.fromEntries(new FormData(form.current)));
    setSending(true);
    setFault(null);
    const answer = await send(given, once.current);
    setSending(false);
    if ('fault' in answer) {
      setFault(answer.fault);
      setCounts(answer.fault.push ?? null);
      return;
    }
    // The next push is another one, and its key is typed again.
    const [key] = form.current.querySelectorAll('[type="password"]');
    /** @type {HTMLInputElement} */ (key).value = '';
    setPreview(null);
    setCounts(answer);
  };
  // A push to another campaign is another push.
  const onChange = (/** @type {any} */ { target }) => {
    if (target.name !== 'api_key') once.current = randomText();
  };
  return html`<div class="push">
    <h2>${push.heading}</h2>
    <form ref=${form} method="dialog" onSubmit=${onLook} onChange=${onChange}>
      <label>${push.tool}
        <select name="tool">${tools.map(({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`)}</select>
      </label>
      <label>${push.campaign}
        <input name="campaign_id" required autocomplete="off" spellcheck=${false} />
      </label>
      <label>${push.key}
        <input name="api_key" type="password" required autocomplete="off" spellcheck=${false} aria-describedby="push-key-note" />
      </label>
      <p class="note" id="push-key-note">${push.keyNote}</p>
      <button aria-disabled=${isSending}>${push.preview}</button>
    </form>
    ${preview === null ? null : html`<${Leads} preview=${preview} isSending=${isSending} onSend=${onSend} />`}
    ${fault === null ? null : html`<${Refusal} fault=${fault} />`}
    <div role="status">
      ${isSending ? html`<p>${push.sending}</p>` : null}
      ${counts === null ? null : html`<${Result} counts=${counts} isWhole=${fault === null} />`}
    </div>
  </div>`;
}

/** The first leads, and the button that sends all. @param {{ preview: Preview, isSending: boolean, onSend: () => void }} props */
function Leads({ preview: { total, results }, isSending, onSend }) {
  const { push } = locale.text;
  if (total === 0) return html`<p class="hint" role="status">${push.nobody}</p>`;
  return html`<p role="status">${push.found(total, results.length)}</p>
    <ol class="leads">
      ${results.map(({ id, name, contact_name, email }) => html`<li key=${id}><bdi>${[contact_name, name].filter(Boolean).join(', ')}</bdi> <span class="mask">${email}</span></li>`)}
    </ol>
    <button type="button" aria-disabled=${isSending} onClick=${onSend}>${push.send(total)}</button>`;
}

/** @param {{ counts: Counts, isWhole: boolean }} props */
function Result({ counts, isWhole }) {
  const { text, count } = locale;
  const { push } = text;
  const shown = order.filter((name) => always.includes(name) || counts[name] > 0);
  return html`<h3>${isWhole ? push.done : push.partly}</h3>
    <dl class="details">
      ${shown.map((name) => html`<div key=${name}><dt>${push.counts[name]}</dt><dd>${count(counts[name])}</dd></div>`)}
    </dl>`;
}

/** @param {{ fault: Fault }} props */
function Refusal({ fault }) {
  const { text } = locale;
  const title = fault.code === 'invalid_request' ? text.push.invalid : explain(fault).title;
  return html`<p class="wrong" role="alert">
    <strong>${title}.</strong> <${FaultDetails} fault=${fault} />${' '}
    ${fault.status === 403 ? html`<a href="plans">${text.export.seePlans}</a>` : null}
  </p>`;
}
