import { useState } from 'preact/hooks';
import { faultOf } from '../api.js';
import { html } from '../dom.js';
import { counted, word, write } from '../words.js';
import { FaultLine } from './fault.js';
import { closePopup, Popup } from './parts.js';
import { dotted, placeOf } from './record-parts.js';

/** @typedef {import('../pasted.js').PastedLine} PastedLine */
/** @typedef {import('../pasted.js').Found} Found */

/** From pasted lines, each shown with what it found before anything is added. @param {{ onAdd: (records: readonly Found[]) => void }} props */
export function FillList({ onAdd }) {
  const [lines, setLines] = useState(/** @type {readonly PastedLine[] | null} */ (null));
  const [state, setState] = useState(/** @type {any} */ (null));
  const look = async (/** @type {any} */ event) => {
    event.preventDefault();
    const typed = event.target.lines.value;
    try {
      setState('Looking them up…');
      // Few lists are pasted: no page loads this before.
      const { resolvePasted } = await import('../pasted.js');
      setLines(await resolvePasted(typed));
      setState(null);
    } catch (error) {
      setState(html`<${FaultLine} fault=${faultOf(error)} />`);
    }
  };
  const close = () => setLines(null);
  return html`<${Popup} id="fill" shown="Paste">
    ${
      lines === null
        ? html`<form method="dialog" onSubmit=${look}>
            <label for="lines">Names, web addresses or email addresses, one a line</label>
            <textarea id="lines" name="lines" autofocus rows="8" required spellcheck=${false} placeholder=${'The Harbour Times\nnytimes.com\ndesk@example.org'}></textarea>
            <button>Find them</button>
          </form>`
        : html`<${PastedLines} lines=${lines} onAdd=${onAdd} onClose=${close} />`
    }
    <div role="status">${state}</div>
  </${Popup}>`;
}

/** @param {{ lines: readonly PastedLine[], onAdd: (records: readonly Found[]) => void, onClose: () => void }} props */
function PastedLines({ lines, onAdd, onClose }) {
  const [chosen, setChosen] = useState(() => byId(lines.flatMap(({ record }) => record ?? [])));
  const choose = (/** @type {Found} */ record, /** @type {boolean} */ isChosen) => {
    const changed = new Map(chosen);
    if (isChosen) changed.set(record.id, record);
    else changed.delete(record.id);
    setChosen(changed);
  };
  const add = (/** @type {any} */ event) => {
    event.preventDefault();
    closePopup(event);
    onAdd([...chosen.values()]);
    onClose();
  };
  const numberOf = (/** @type {(line: PastedLine) => boolean} */ condition) => write(lines.filter(condition).length);
  const isMissing = (/** @type {PastedLine} */ { record, choices }) => record === null && choices.length === 0;
  const option = (/** @type {Found} */ record) => html`<input
      type="checkbox"
      autocomplete="off"
      checked=${chosen.has(record.id)}
      onChange=${(/** @type {any} */ event) => choose(record, event.target.checked)}
    />`;
  return html`<form method="dialog" onSubmit=${add}>
    <p role="status"><strong>${numberOf(({ record }) => record !== null)} found, ${numberOf(({ choices }) => choices.length > 0)} to choose from, ${numberOf(isMissing)} not found</strong></p>
    <ul class="pasted">
      ${lines.map((pasted) => html`<li key=${pasted.line}>${LineFound(pasted, option)}</li>`)}
    </ul>
    <p class="line">
      <button disabled=${chosen.size === 0}>Add ${write(chosen.size)}</button>
      <button type="button" class="quiet" onClick=${onClose}>Paste something else</button>
    </p>
  </form>`;
}

/** What a line found. @param {PastedLine} found @param {(record: Found) => unknown} option the box of a record */
function LineFound({ line, record, choices, matches }, option) {
  if (record !== null) {
    return html`<label class="choice">${option(record)} <span><bdi>${line}</bdi> → <${Medium} record=${record} /></span></label>`;
  }
  if (choices.length > 0) {
    return html`<fieldset>
      <legend><bdi>${line}</bdi> <small>${matches > choices.length ? `one of ${write(matches)}, such as these` : 'choose'}</small></legend>
      ${choices.map((choice) => html`<label class="choice" key=${choice.id}>${option(choice)} <span><${Medium} record=${choice} /></span></label>`)}
    </fieldset>`;
  }
  const reason = matches > 0 ? `not found: ${counted(matches, 'medium has', 'media have')} this host` : 'not found';
  return html`<bdi>${line}</bdi> <small>${reason}</small>`;
}

/** @param {{ record: Found }} props */
function Medium({ record }) {
  return html`<strong><bdi>${record.name}</bdi></strong> <small>${dotted([word(record.kind), placeOf(record)])}</small>`;
}

/** @param {readonly Found[]} records */
function byId(records) {
  return new Map(records.map((record) => [record.id, record]));
}
