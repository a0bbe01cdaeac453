import { useState } from 'preact/hooks';
import { faultOf } from '../api.js';
import { html } from '../dom.js';
import { resolvePasted } from '../pasted.js';
import { word, write } from '../words.js';
import { FaultLine } from './fault.js';
import { closePopup, Popup } from './parts.js';
import { Place } from './record-parts.js';

/** From pasted lines. @param {{ onAdd: (records: readonly import('../pasted.js').Found[]) => void }} props */
export function FillList({ onAdd }) {
  const [resolved, setResolved] = useState(/** @type {import('../pasted.js').Resolved | null} */ (null));
  const [said, say] = useState(/** @type {any} */ (null));
  const look = async (/** @type {any} */ event) => {
    event.preventDefault();
    try {
      say('Looking them up…');
      setResolved(await resolvePasted(event.target.lines.value));
      say(null);
    } catch (error) {
      say(html`<${FaultLine} fault=${faultOf(error)} />`);
    }
  };
  const add = (/** @type {any} */ event) => {
    event.preventDefault();
    closePopup(event);
    const chosen = new FormData(event.target).getAll('chosen');
    const choices = resolved?.choices.flatMap(({ records }) => records) ?? [];
    onAdd([...(resolved?.found ?? []), ...choices.filter(({ id }) => chosen.includes(id))]);
    setResolved(null);
  };
  return html`<${Popup} id="fill" shown="Paste">
    ${
      resolved === null
        ? html`<form method="dialog" onSubmit=${look}>
            <label for="lines">Names, domains or email addresses, one a line</label>
            <textarea id="lines" name="lines" autofocus rows="8" required spellcheck=${false} placeholder=${'The Harbour Times\nnytimes.com\ndesk@example.org'}></textarea>
            <button>Find them</button>
          </form>`
        : html`<form method="dialog" onSubmit=${add}>
            <p role="status"><strong>${write(resolved.found.length)} found, ${write(resolved.choices.length)} to choose from, ${write(resolved.missing.length)} not found</strong></p>
            ${resolved.choices.map(
              ({ line, records }) => html`<fieldset key=${line}>
                <legend><bdi>${line}</bdi></legend>
                ${records.map(
                  (record) => html`<label class="choice" key=${record.id}>
                    <input type="checkbox" name="chosen" value=${record.id} autocomplete="off" /> <span><bdi>${record.name}</bdi> <small>${word(record.kind)} · <${Place} record=${record} /></small></span>
                  </label>`,
                )}
              </fieldset>`,
            )}
            ${resolved.missing.length === 0 ? null : html`<details><summary>${write(resolved.missing.length)} not found</summary><ul>${resolved.missing.map((line) => html`<li key=${line}>${line}</li>`)}</ul></details>`}
            <p class="line">
              <button>Add to the list</button>
              <button type="button" class="quiet" onClick=${() => setResolved(null)}>Paste something else</button>
            </p>
          </form>`
    }
    <div role="status">${said}</div>
  </${Popup}>`;
}
