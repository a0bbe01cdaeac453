import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { hostOf, html, safeUrl } from '../dom.js';
import { date, word, write } from '../words.js';
import { useRoot } from './parts.js';
import { OutwardLink } from './record-parts.js';

/**
 * The fields as the server lists them. `isWord`: its values are slugs. `filter`: the parameter that finds records with the same value.
 * @typedef {{ key: string, type: 'text' | 'list' | 'url' | 'email' | 'date' | 'integer', isWord: boolean, filter: string | null }} Field
 * @typedef {{ rows: (Field & { part: 'reach' | 'details', label: string })[], columns: { name: string, field: Field }[] }} ShownFields
 */

/** @type {import('preact').Context<ShownFields>} */
const Fields = createContext(/** @type {ShownFields} */ ({ rows: [], columns: [] }));

/** Tells the views within it which fields there are. */
export const InFields = Fields.Provider;

export function useFields() {
  return useContext(Fields);
}

/** A value as text, for cells of tables. @param {any} value @param {Field} field @returns {string | null} */
export function textOf(value, { type, isWord }) {
  if (value === null || value === undefined) return null;
  const textOfWord = (/** @type {string} */ text) => (isWord ? word(text) : text);
  if (type === 'list') return value.map(textOfWord).join(', ');
  if (type === 'integer') return write(value);
  if (type === 'date') return date(value);
  return type === 'url' ? hostOf(value) : textOfWord(value);
}

/** A value on the page of its record: it links to what it names, or to the records that share it. @param {{ value: any, field: Field }} props */
export function Value({ value, field }) {
  const { type, filter, isWord } = field;
  const root = useRoot();
  const like = (/** @type {string} */ text) =>
    filter === null
      ? textOf(text, { ...field, type: 'text' })
      : html`<a href="${root}?${new URLSearchParams([[filter, text]])}">${isWord ? word(text) : text}</a>`;
  if (type === 'list') return value.map((/** @type {string} */ text) => html`${like(text)} `);
  if (type === 'url') return html`<${OutwardLink} url=${value}>${hostOf(value)}</${OutwardLink}>`;
  if (type === 'date') return html`<time datetime=${value}>${date(value)}</time>`;
  return type === 'text' ? like(value) : textOf(value, field);
}

/** Whether there is something to show. @param {any} value @param {Field} field */
export function hasValue(value, { type }) {
  if (value === null || value === undefined || value.length === 0) return false;
  return type !== 'url' || safeUrl(value) !== null;
}
