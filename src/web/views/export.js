import { html } from '../dom.js';
import { locale } from '../locale.js';
import { explain, FaultDetails } from './fault.js';

/**
 * An export, as far as it is. `done`: the rows that came; `total`: those there are.
 * @typedef {{ done: number, total: number, isRunning: boolean, fault: import('./fault.js').Fault | null, isCut: boolean }} Progress
 */

/**
 * @param {{ formats: readonly { name: string, title: string }[], format: string, hasKey: boolean, hasKind: boolean, leftOut: number, progress: Progress | null, onChoose: (event: any) => void, onExport: () => void, onCancel: () => void }} props
 */
export function ExportButton({ formats, format, hasKey, hasKind, leftOut, progress, onChoose, onExport, onCancel }) {
  const { text, word } = locale;
  const { export: words } = text;
  return html`<div class="export">
    ${
      hasKey
        ? html`<label for="format" class="unseen">${words.format}</label>
            <select id="format" onChange=${onChoose}>
              ${formats.map(({ name, title }) => html`<option key=${name} value=${name} selected=${name === format}>${word(title)}</option>`)}
            </select>${' '}
            <button type="button" aria-disabled=${progress?.isRunning ?? false} onClick=${onExport}>
              ${hasKind ? words.results : words.outlets}
            </button>${' '}
            ${leftOut === 0 ? null : html`<span class="note">${words.leftOut(leftOut)} <a href="plans">${words.seePlans}</a></span>`}`
        : null
    }
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
