import { useState } from 'preact/hooks';
import { faultOf } from '../api.js';
import { html } from '../dom.js';
import { counted, word, write } from '../words.js';
import { FaultLine } from './fault.js';
import { closePopup, Popup } from './parts.js';
import { dotted, placeOf, rowKey, rowName } from './record-parts.js';

/** @typedef {import('../pasted.js').PastedLine} PastedLine */
/** @typedef {import('../pasted.js').Row} Row */

/** From pasted lines, each shown with what it found before anything is added. @param {{ onAdd: (rows: readonly Row[]) => void }} props */
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
      const showProgress = (/** @type {number} */ done, /** @type {number} */ all) =>
        setState(html`Looking them up… <progress value=${done} max=${all} aria-label="Looked up"></progress>`);
      setLines(await resolvePasted(typed, showProgress));
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
            <label for="lines">Names, web addresses or email addresses, one a line, or rows of a spreadsheet</label>
            <textarea id="lines" name="lines" autofocus rows="8" required spellcheck=${false} placeholder=${'The Harbour Times\nnytimes.com\ndesk@example.org'}></textarea>
            <button>Find them</button>
          </form>`
        : html`<${PastedLines} lines=${lines} onAdd=${onAdd} onClose=${close} />`
    }
    <div role="status">${state}</div>
  </${Popup}>`;
}

/** @param {{ lines: readonly PastedLine[], onAdd: (rows: readonly Row[]) => void, onClose: () => void }} props */
function PastedLines({ lines, onAdd, onClose }) {
  const [chosen, setChosen] = useState(() => byKey(lines.flatMap(({ row }) => row ?? [])));
  const choose = (/** @type {Row} */ row, /** @type {boolean} */ isChosen) => {
    const changed = new Map(chosen);
    if (isChosen) changed.set(rowKey(row), row);
    else changed.delete(rowKey(row));
    setChosen(changed);
  };
  const add = (/** @type {any} */ event) => {
    event.preventDefault();
    closePopup(event);
    onAdd([...chosen.values()]);
    onClose();
  };
  const numberOf = (/** @type {(line: PastedLine) => boolean} */ condition) => write(lines.filter(condition).length);
  const isMissing = (/** @type {PastedLine} */ { row, choices }) => row === null && choices.length === 0;
  const option = (/** @type {Row} */ row) => html`<input
      type="checkbox"
      autocomplete="off"
      checked=${chosen.has(rowKey(row))}
      onChange=${(/** @type {any} */ event) => choose(row, event.target.checked)}
    />`;
  return html`<form method="dialog" onSubmit=${add}>
    <p role="status"><strong>${numberOf(({ row }) => row !== null)} found, ${numberOf(({ choices }) => choices.length > 0)} to choose from, ${numberOf(isMissing)} not found</strong></p>
    <ul class="pasted">
      ${lines.map((pasted) => html`<li key=${pasted.line}>${LineFound(pasted, option)}</li>`)}
    </ul>
    <p class="line">
      <button disabled=${chosen.size === 0}>Add ${write(chosen.size)}</button>
      <button type="button" class="quiet" onClick=${onClose}>Paste something else</button>
    </p>
  </form>`;
}

/** What a line found. @param {PastedLine} found @param {(row: Row) => unknown} option the box of a row */
function LineFound({ line, row, choices, matches }, option) {
  if (row !== null) {
    const isOfMedium = line.includes('@') && !row.contact;
    return html`<label class="choice">${option(row)} <span><bdi>${line}</bdi> → <${Meant} row=${row} />${isOfMedium ? html` <small>· nobody there has this address</small>` : null}</span></label>`;
  }
  if (choices.length > 0) {
    return html`<fieldset>
      <legend><bdi>${line}</bdi> <small>${matches > choices.length ? `one of ${write(matches)}, such as these` : 'choose'}</small></legend>
      ${choices.map((choice) => html`<label class="choice" key=${rowKey(choice)}>${option(choice)} <span><${Meant} row=${choice} />${choice.contact?.email ? html` <small>· ${choice.contact.email}</small>` : null}</span></label>`)}
    </fieldset>`;
  }
  const reason = matches > 0 ? `not found: ${counted(matches, 'medium has', 'media have')} this host` : 'not found';
  return html`<bdi>${line}</bdi> <small>${reason}</small>`;
}

/** @param {{ row: Row }} props */
function Meant({ row }) {
  return html`<strong><bdi>${rowName(row)}</bdi></strong> <small>${dotted([word(row.record.kind), placeOf(row.record)])}</small>`;
}

/** @param {readonly Row[]} rows */
function byKey(rows) {
  return new Map(rows.map((row) => [rowKey(row), row]));
}
