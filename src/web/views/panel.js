import { useEffect, useRef } from 'preact/hooks';
import { html } from '../dom.js';
import { locale } from '../locale.js';
import { RecordArticle } from './media.js';
import { useRoot } from './parts.js';

/** A record beside the list that it was opened from. Takes the focus, so that keys and screen readers go on there. @param {{ record: any, onClose: () => void, children?: any }} props */
export function Panel({ record, onClose, children }) {
  const { panel } = locale.text;
  const root = useRoot();
  const place = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => place.current?.scrollTo(0, 0), [record.id]);
  useEffect(() => {
    // On a phone it covers the list.
    if (matchMedia('(max-width: 52rem)').matches) place.current?.focus();
  }, []);
  return html`<aside ref=${place} class="panel" tabindex="-1" aria-label=${record.name}>
    <p class="panel-top">
      <a href="${root}media/${encodeURIComponent(record.id)}">${panel.page}</a>
      <button type="button" class="quiet" onClick=${onClose}>${panel.close}</button>
    </p>
    <${RecordArticle} record=${record} level="h2">${children}</${RecordArticle}>
  </aside>`;
}
