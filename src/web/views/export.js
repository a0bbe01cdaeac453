import { html } from '../dom.js';
import { locale } from '../locale.js';
import { explain, FaultDetails } from './fault.js';

/**
 * An export, as far as it is. `done`: the rows that came; `total`: those there are.
 * @typedef {{ done: number, total: number, isRunning: boolean, fault: import('./fault.js').Fault | null, isCut: boolean }} Progress
 */

/**
 * Saves what is found or selected as a file. `leftOut`: how many of other kinds the plan leaves out.
 * @param {{ formats: readonly { name: string, title: string }[], format: string, label: string, leftOut: number, progress: Progress | null, onChoose: (event: any) => void, onExport: () => void, onCancel: () => void }} props
 */
export function ExportForm({ formats, format, label, leftOut, progress, onChoose, onExport, onCancel }) {
  const { text, word } = locale;
  const { export: words } = text;
  return html`<div class="export">
    <p class="joined">
      <label for="format" class="unseen">${words.format}</label>
      <select id="format" onChange=${onChoose}>
        ${formats.map(({ name, title }) => html`<option key=${name} value=${name} selected=${name === format}>${word(title)}</option>`)}
      </select>
      <button type="button" aria-disabled=${progress?.isRunning ?? false} onClick=${onExport}>${label}</button>
    </p>
    ${leftOut === 0 ? null : html`<p class="note">${words.leftOut(leftOut)} <a href="plans">${words.seePlans}</a></p>`}
    ${progress === null ? null : html`<${ExportProgress} progress=${progress} onCancel=${onCancel} />`}
  </div>`;
}

/** @param {{ progress: Progress, onCancel: () => void }} props */
function ExportProgress({ progress: { done, total, isRunning, fault, isCut }, onCancel }) {
  const { text } = locale;
  const { export: words } = text;
  if (fault) {
    return html`<p class="wrong" role="alert">
      <strong>${explain(fault).title}.</strong> <${FaultDetails} fault=${fault} />${' '}
      ${fault.status === 403 ? html`<a href="plans">${words.seePlans}</a>` : null}
    </p>`;
  }
  if (isCut)
    return html`<p class="wrong" role="alert"><strong>${words.cutOff}</strong> ${words.cutOffRest(done, total)}</p>`;
  if (!isRunning) return html`<p role="status">${words.saved(done)}</p>`;
  return html`<p>
    <progress max=${Math.max(total, 1)} value=${done} aria-label=${words.label}></progress> ${words.progress(done, total)}${' '}
    <button type="button" class="quiet" onClick=${onCancel}>${words.cancel}</button>
  </p>`;
}
