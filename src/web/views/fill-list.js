import { useState } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { explain } from './fault.js';
import { closePopup, Popup } from './parts.js';

/**
 * Fills a list with what is pasted: says how many lines were found, offers those that several may be meant by, and names the rest.
 * @param {{ onAdd: (records: readonly import('../pasted.js').Found[]) => void }} props
 */
export function FillList({ onAdd }) {
  const { text, word } = locale;
  const { fill } = text;
  const [resolved, setResolved] = useState(/** @type {import('../pasted.js').Resolved | null} */ (null));
  const [said, say] = useState('');
  const look = async (/** @type {any} */ event) => {
    event.preventDefault();
    const [{ resolvePasted }, { faultOf }] = await Promise.all([import('../pasted.js'), import('../api.js')]);
    try {
      const pasted = String(new FormData(event.target).get('lines'));
      setResolved(await resolvePasted(pasted, (done, total) => say(fill.looking(done, total))));
      say('');
    } catch (error) {
      const { title, advice } = explain(faultOf(error));
      say(`${title}. ${advice}`);
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
  return html`<${Popup} id="fill" shown=${fill.label}>
    ${
      resolved === null
        ? html`<form method="dialog" onSubmit=${look}>
            <label for="lines">${fill.paste}</label>
            <textarea id="lines" name="lines" rows="8" required spellcheck=${false} placeholder=${fill.example}></textarea>
            <button>${fill.find}</button>
          </form>`
        : html`<form method="dialog" onSubmit=${add}>
            <p role="status"><strong>${fill.summary(resolved.found.length, resolved.choices.length, resolved.missing.length)}</strong></p>
            ${resolved.choices.map(
              ({ line, records }) => html`<fieldset key=${line}>
                <legend><bdi>${line}</bdi></legend>
                ${records.map(
                  ({ id, name, kind }) => html`<label class="choice" key=${id}>
                    <input type="checkbox" name="chosen" value=${id} autocomplete="off" /> <span><bdi>${name}</bdi> <small>${word(kind)}</small></span>
                  </label>`,
                )}
              </fieldset>`,
            )}
            ${resolved.missing.length === 0 ? null : html`<details><summary>${fill.missing(resolved.missing.length)}</summary><p class="missing">${resolved.missing.join('\n')}</p></details>`}
            <p class="joined">
              <button>${fill.add}</button>
              <button type="button" class="quiet" onClick=${() => setResolved(null)}>${fill.again}</button>
            </p>
          </form>`
    }
    <p role="status">${said}</p>
  </${Popup}>`;
}
