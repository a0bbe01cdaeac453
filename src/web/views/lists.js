import { html } from '../dom.js';
import { locale } from '../locale.js';
import { ChooseList } from './choose-list.js';
import { CopyButton } from './parts.js';
import { RecordLink } from './record-parts.js';

/**
 * A page that shows some records of a list, in order: how many, as rows, and for anybody.
 * @typedef {{ count: number, compareUrl: string, shareUrl: string }} Link
 */

/**
 * The lists of this browser: one of them open, with a note on each record and what can be done with all of them.
 * `links`: the pages that show its records, several if one cannot show all; `said`: what was removed last;
 * `isRefused`: whether the browser refused to store the last change.
 * @param {{ keeping: import('../kept-lists.js').Keeping, links: readonly Link[], exporting: any, pushing: any, said: string, isRefused: boolean, hasKey: boolean, onOpen: (name: string) => void, onDelete: () => void, onRemove: (record: import('../kept-lists.js').Kept) => void, onNote: (id: string, note: string) => void }} props
 */
export function Lists({ keeping: { current, lists }, links, exporting, pushing, said, isRefused, hasKey, ...on }) {
  const { text, word } = locale;
  const { lists: words } = text;
  const kept = lists[current] ?? [];
  return html`<h1>${words.heading}</h1>
    <p class="lead">${words.lead}</p>
    <p role="status" class="unseen">${said}</p>
    ${isRefused ? html`<p class="wrong" role="alert">${text.notStored}</p>` : null}
    <${ChooseList} current=${current} names=${Object.keys(lists)} onOpen=${on.onOpen} />
    <section aria-labelledby="open-list">
      <h2 id="open-list"><bdi>${current}</bdi> <small role="status">${words.count(kept.length)}</small></h2>
      ${
        kept.length === 0
          ? html`<p class="hint">${words.empty} <a href="./">${text.frame.search}</a></p>`
          : html`${links.length > 1 ? html`<p class="hint">${words.split(links.length)}</p>` : null}
            <div class="list-bar"><${Links} links=${links} /> ${exporting}</div>
            ${pushing}
            ${hasKey ? null : html`<p class="remark">${words.withPlan} <a href="plans">${text.search.seePlans}</a>${text.search.orKey}</p>`}
            <ul class="kept" role="list">
              ${kept.map(
                (record) => html`<li key=${record.id} class="card">
                  <h3 dir="auto"><${RecordLink} record=${record} /></h3>
                  <p class="place">${word(record.kind)}</p>
                  <input
                    value=${record.note}
                    maxlength="500"
                    dir="auto"
                    placeholder=${words.note}
                    aria-label="${words.note}: ${record.name}"
                    onInput=${(/** @type {any} */ event) => on.onNote(record.id, event.target.value)}
                  />
                  <button type="button" class="quiet" onClick=${() => on.onRemove(record)}>
                    ${words.remove}<span class="unseen">${' '}${record.name}</span>
                  </button>
                </li>`,
              )}
            </ul>`
      }
      ${
        Object.keys(lists).length > 1
          ? html`<p><button type="button" class="quiet" onClick=${on.onDelete}>${words.delete}</button></p>`
          : null
      }
    </section>`;
}

/** @param {{ links: readonly Link[] }} props */
function Links({ links }) {
  const { lists: words } = locale.text;
  let before = 0;
  return links.map(({ count, compareUrl, shareUrl }) => {
    const part = links.length > 1 ? ` (${before + 1}–${before + count})` : '';
    before += count;
    return html`<a class="button" href=${compareUrl}>${words.compare}${part}</a>
      <${CopyButton} textOf=${() => shareUrl} shown="${words.share}${part}" />`;
  });
}
