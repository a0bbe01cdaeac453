import { useRef, useState } from 'preact/hooks';
import { faultOf, send } from './api.js';
import { html, randomText } from './dom.js';
import { FaultLine } from './views/fault.js';
import { PeopleChoice } from './views/people.js';
import { counted, write } from './words.js';

/** @typedef {import('./views/fault.js').Fault} Fault @typedef {Record<string, any>} Counts of a push */

/** The counts in the order in which they add up. Those in `always` are shown even if they are 0. @type {Record<string, string>} */
const counts = {
  matched: 'Found',
  without_email: 'Without an address, or only an invalid one',
  repeated: 'Same address as another one',
  sent: 'Sent to the tool',
  added: 'Added to the campaign',
  duplicates: 'Already in the campaign',
  invalid: 'Not reachable by mail',
  blocked: 'Blocked or unsubscribed',
  skipped: 'Left out by the tool',
  failed: 'Failed',
};
const always = ['matched', 'sent', 'added'];

/**
 * Pushes what a search finds: shows how many leads that is, then pushes them, then shows the counts. The tool's key is only in its
 * field and in the body of one request.
 * @param {{ query: URLSearchParams, tools: readonly { name: string, title: string }[], ofPeople: boolean, lost: import('./export.js').Lost }} props
 */
export function Push({ query, tools, ofPeople, lost }) {
  const form = useRef(/** @type {HTMLFormElement | null} */ (null));
  /** The Idempotency-Key: if an answer is lost, the same push can be sent again without pushing twice. */
  const once = useRef('');
  const [total, setTotal] = useState(/** @type {number | null} */ (null));
  const [done, setDone] = useState(/** @type {Counts | null} */ (null));
  const [fault, setFault] = useState(/** @type {Fault | null} */ (null));
  const [isSending, setSending] = useState(false);
  const [hasPeople, choosePeople] = useState(ofPeople);
  /** The push that the form describes. @param {HTMLFormElement} form */
  const orderOf = (form) => ({
    ...Object.fromEntries(new FormData(form)),
    filters: Object.fromEntries(query),
    rows: hasPeople ? 'contacts' : 'records',
  });

  const look = async (/** @type {Event} */ event) => {
    event.preventDefault();
    if (isSending) return;
    setDone(null);
    setFault(null);
    once.current = randomText();
    try {
      // The tool's key is not sent before somebody pushes.
      const rehearsal = { ...orderOf(/** @type {any} */ (event.target)), api_key: undefined, dry_run: true };
      setTotal((await send('export/push', rehearsal)).sent);
    } catch (error) {
      setTotal(null);
      setFault(faultOf(error));
    }
  };
  const push = async () => {
    if (isSending || !form.current?.reportValidity()) return;
    setSending(true);
    setFault(null);
    try {
      setDone(await send('export/push', orderOf(form.current), { headers: { 'Idempotency-Key': once.current } }));
      // For the next push, the key must be typed again.
      form.current.api_key.value = '';
      setTotal(null);
    } catch (error) {
      const fault = faultOf(error);
      setFault(fault);
      setDone(fault.push ?? null);
    }
    setSending(false);
  };
  // Another tool, campaign or choice makes it another push.
  const change = (/** @type {any} */ { target }) => {
    if (target.name === 'api_key') return;
    once.current = randomText();
    if (target.type === 'checkbox') setTotal(null);
  };
  return html`<div class="push">
    <h2>Send to a campaign</h2>
    <form ref=${form} method="dialog" onSubmit=${look} onChange=${change}>
      <label>Tool
        <select name="tool">${tools.map(({ name, title }) => html`<option key=${name} value=${name}>${title}</option>`)}</select>
      </label>
      <label>Campaign ID
        <input name="campaign_id" required autocomplete="off" spellcheck=${false} />
      </label>
      <label>Your key for the tool
        <input name="api_key" type="password" required autocomplete="off" spellcheck=${false} aria-describedby="push-key-note" />
      </label>
      <p class="note" id="push-key-note">It is sent once with the leads, and kept nowhere.</p>
      <${PeopleChoice} isChosen=${hasPeople} lost=${lost} onChoice=${choosePeople} />
      <button aria-disabled=${isSending}>Preview</button>
    </form>
    ${total === null ? null : html`<${Leads} total=${total} isSending=${isSending} onSend=${push} />`}
    ${fault === null ? null : html`<${FaultLine} fault=${fault.code === 'invalid_request' ? { ...fault, code: '', title: 'This cannot be sent' } : fault} />`}
    <div role="status">
      ${isSending ? html`<p>Sending. It goes on if you leave this page, but then you do not see the counts.</p>` : null}
      ${done === null ? null : html`<${Result} done=${done} isWhole=${fault === null} />`}
    </div>
  </div>`;
}

/** How many leads there are, and the button that sends them. @param {{ total: number, isSending: boolean, onSend: () => void }} props */
function Leads({ total, isSending, onSend }) {
  if (total === 0)
    return html`<p class="hint" role="status">None of these has an address that is not known to be invalid.</p>`;
  return html`<p role="status">${counted(total, 'lead has', 'leads have')} an address that is not known to be invalid.</p>
    <button type="button" aria-disabled=${isSending} onClick=${onSend}>Send ${counted(total, 'lead')}</button>`;
}

/** @param {{ done: Counts, isWhole: boolean }} props */
function Result({ done, isWhole }) {
  const shownCounts = Object.entries(counts).filter(([name]) => always.includes(name) || done[name] > 0);
  return html`<h3>${isWhole ? 'Sent' : 'What was sent before it failed'}</h3>
    <dl class="details">
      ${shownCounts.map(([name, label]) => html`<div key=${name}><dt>${label}</dt><dd>${write(done[name])}</dd></div>`)}
    </dl>`;
}
