import { type ColumnKey, findHandleColumn, placeOfColumn } from '#records/contacts/contact-columns.ts';
import { trimEnd } from '#text/fold.ts';

export type Source = Record<string, unknown>;

/** Characters around an address in a cell, and between an address and a name. */
const around = ' \t\r\n<>()[],;:|/"–—-';
const aroundAtStart = /^[\s<>()[\],;:|/"–—-]+/;

/** Splits a cell into two fields: at its email addresses, or else at the last comma. A missing part keeps the stored value. */
export function splitCell(source: Source, first: ColumnKey, second: ColumnKey): void {
  const cell = source[first];
  if (typeof cell !== 'string') return;
  if (cell.trim() === '') {
    source[second] = '';
  } else if (placeOfColumn(first).field === 'email' || placeOfColumn(second).field === 'email') {
    const [email, other] = placeOfColumn(first).field === 'email' ? [first, second] : [second, first];
    delete source[first];
    splitAtAddresses(source, cell, email, other);
  } else if (first === 'url' && second === 'name') {
    // `https://www.x.example/` is called `x.example`.
    source.name = trimEnd(cell.trim().replace(/^(?:https?:\/\/)?(?:www\.)?/i, ''), '/');
  } else {
    const comma = cell.lastIndexOf(',');
    if (comma < 0) return;
    source[first] = cell.slice(0, comma);
    source[second] = cell.slice(comma + 1);
  }
}

/** Of `Jane Doe <jane@x.example>, Bob Roe <bob@x.example>`, each name is one person's. */
function splitAtAddresses(source: Source, cell: string, email: ColumnKey, other: ColumnKey): void {
  const words = cell.split(/[\s<>()[\],;:|"]+/).filter((word) => word.includes('@'));
  const whole = words.filter((word) => /[^@]@[^@]/.test(word));
  const addresses = whole.length > 0 || other === 'phone' ? whole : words.slice(0, 1);
  let rest = cell;
  const textsBefore = addresses.map((address) => {
    const text = rest.slice(0, rest.indexOf(address));
    rest = rest.slice(text.length + address.length);
    return withoutEdges(text.replace(/mailto:$/i, ''));
  });
  const texts = [...textsBefore, withoutEdges(rest)].filter((text) => text !== '');
  const stand = textsBefore.every(Boolean) ? 'before' : textsBefore.slice(1).every(Boolean) ? 'behind' : 'anywhere';
  const isOneEach = addresses.length > 1 && texts.length === addresses.length && stand !== 'anywhere';
  if (addresses.length > 0) source[email] = addresses.join(', ');
  if (texts.length === 0) return;
  const text = texts.join(', ');
  const handle = other === 'phone' && source.contact_name ? handleIn(text) : null;
  if (handle !== null) {
    source[handle.column] ||= handle.cell;
    if (handle.rest !== '') source.phone = withoutLabel(handle.rest);
  } else if (other === 'phone') source.phone = withoutLabel(text);
  else source[other] = isOneEach && placeOfColumn(other).field === 'contact_name' ? texts : text;
}

/** `0590 60 96 96` of `switchboard 0590 60 96 96` */
function withoutLabel(text: string): string {
  const words = text.split(/\s+/);
  const number = words.slice(words.findIndex((word) => /^[+(]{0,2}\d[\d()./+-]*$/.test(word))).join(' ');
  return number.replace(/\D/g, '').length >= 7 ? number : text;
}

/** The handle of `Twitter: @jane, 020 7946 0003`, and what stands behind it. */
function handleIn(text: string): { column: ColumnKey; cell: string; rest: string } | null {
  const [whole = '', network = '', cell = ''] = /^([^@]{1,20})(@[\w.-]+)/.exec(text) ?? [];
  const column = findHandleColumn(network);
  return column === null ? null : { column, cell, rest: withoutEdges(text.slice(whole.length)) };
}

function withoutEdges(text: string): string {
  return trimEnd(text.replace(aroundAtStart, ''), around);
}
