import { parseJson } from '#text/json.ts';
import type { ContactColumn } from '../contacts/contact-columns.ts';
import type { MediaRecord, RecordKey } from '../media-record.ts';
import { cleanText, isLikelyPlaceholder, isPlaceholder, textLimits } from './clean-text.ts';
import { type ImportNote, importNote, type NoteCode } from './import-note.ts';
import { normalizeEmail } from './normalize-email.ts';
import { normalizeUrl } from './normalize-url.ts';
import { normalizeCount, normalizeDate } from './normalize-values.ts';

/**
 * The values of one row in their source form, by what they fill; further people are under keys such as `email_2`. `contact_name` may
 * be a list: several people of one cell.
 */
export type SourceRecord = { readonly [Key in RecordKey | ContactColumn]?: unknown };

/** A parsed value; null for an empty cell; undefined if the cell is missing or unreadable. */
export type Read<Value> = Value | null | undefined;

type Field = keyof MediaRecord;
type TextField = keyof typeof textLimits;

const meaningful = /[\p{L}\p{N}\p{So}]/u;
/** Separates the values of one cell: `Newspaper (weekly)`. */
const separators = /[,;|/&+]/;
const brackets = /[()]/;
/** Maximum length of a cell with words of a vocabulary. */
const maxWordLength = 200;
/** Maximum number of list items that are read: far more than any field keeps. */
const maxItems = 1_000;

/** Reads the cells of a row, and notes what it changes or skips. An unreadable cell counts as missing: the stored value stays. */
export class CellReader {
  readonly notes: ImportNote[];
  readonly #source: SourceRecord;

  /** @param notes where to note; a list of its own by default */
  constructor(source: SourceRecord, notes: ImportNote[] = []) {
    this.#source = source;
    this.notes = notes;
  }

  /** A reader of other cells of the same row, with the same notes. */
  of(source: SourceRecord): CellReader {
    return source === this.#source ? this : new CellReader(source, this.notes);
  }

  note(field: Field, code: NoteCode): undefined {
    const note = importNote(field, code);
    if (!this.notes.includes(note)) this.notes.push(note);
  }

  /** The cell as trimmed text. */
  raw(field: Field): Read<string> {
    const value = this.#source[field];
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.length > 1) this.note(field, 'several_values');
    const text = scalarText(Array.isArray(value) ? (value[0] ?? null) : value);
    if (text === undefined) return this.note(field, 'unreadable');
    return text === '' || isPlaceholder(text) ? null : text;
  }

  /** Text for display: see cleanText. */
  text(field: TextField): Read<string> {
    const raw = field === 'name' ? this.raw(field) : this.#value(field);
    if (raw == null) return raw;
    const clean = this.#clean(field, raw);
    if (clean === '' || isPlaceholder(clean)) return null;
    return field === 'name' || meaningful.test(clean) ? clean : this.note(field, 'unreadable');
  }

  /** A value of a closed list by its word. If the cell has several words, the first known one counts. */
  word<Value>(field: Field, find: (word: string) => Value | null, between = separators): Read<Value> {
    const raw = this.raw(field);
    if (raw == null) return raw;
    if (raw.length > maxWordLength) return this.note(field, 'unknown_value');
    const value = find(raw);
    if (value !== null) return value;
    if (isLikelyPlaceholder(raw)) return null;
    const [first, ...otherValues] = raw
      .split(between)
      .flatMap((part) => find(part) ?? part.split(brackets).flatMap((inner) => find(inner) ?? []));
    if (first === undefined) return this.note(field, 'unknown_value');
    // Brackets after a value explain it, and are no second value: `Presse (politique)`.
    if (otherValues.length > 0 || !/^[^()]+\([^()]*\)$/.test(raw)) this.note(field, 'several_values');
    return first;
  }

  url(field: Field, base: string | null = null): Read<string> {
    const raw = this.#value(field);
    if (raw == null) return raw;
    const result = normalizeUrl(raw, base);
    if ('fault' in result) return this.note(field, result.fault);
    for (const change of result.changes) this.note(field, change);
    return result.url;
  }

  email(): Read<string> {
    const raw = this.#value('email');
    if (raw == null) return raw;
    const result = normalizeEmail(raw);
    if ('fault' in result) return this.note('email', result.fault);
    if (result.isFirstOfSeveral) this.note('email', 'several_values');
    return result.email;
  }

  date(field: Field): Read<string> {
    return this.#parsed(field, normalizeDate);
  }

  count(field: Field): Read<number> {
    return this.#parsed(field, normalizeCount);
  }

  /** The items of a list: the elements of an array, or the parts of a text between `|` or line ends. */
  items(field: Field): readonly string[] | undefined {
    const value = readList(this.#source[field]);
    if (!Array.isArray(value)) {
      const raw = this.raw(field);
      if (raw == null) return raw === null ? [] : undefined;
      return this.#firstOf(field, raw.split(/[|\n\r]/)).map((item) => item.trim());
    }
    const items: string[] = [];
    for (const item of this.#firstOf(field, value)) {
      const text = scalarText(item);
      if (text === undefined) this.note(field, 'unreadable');
      else items.push(text);
    }
    return items;
  }

  /** An item of a list of names, cleaned for display; empty if nothing remains. */
  cleanItem(field: TextField, item: string, limit?: number): string {
    const clean = isPlaceholder(item) ? '' : this.#clean(field, item, limit);
    return isPlaceholder(clean) || !meaningful.test(clean) ? '' : clean;
  }

  #firstOf<Item>(field: Field, items: readonly Item[]): readonly Item[] {
    if (items.length > maxItems) this.note(field, 'too_many');
    return items.slice(0, maxItems);
  }

  /** The raw cell; null for placeholder words, too. */
  #value(field: Field): Read<string> {
    const raw = this.raw(field);
    return raw != null && isLikelyPlaceholder(raw) ? null : raw;
  }

  #clean(field: TextField, text: string, limit: number = textLimits[field]): string {
    return cleanText(text, limit, (change) => this.note(field, change));
  }

  #parsed<Value>(field: Field, parse: (text: string) => Value | null): Read<Value> {
    const raw = this.#value(field);
    if (raw == null) return raw;
    const value = parse(raw);
    return value === null ? this.note(field, 'unreadable') : value;
  }
}

/** Reads a list in JSON, as rejects files have it, or an object such as `{"0":"News"}`. Returns other values as they are. */
function readList(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value) && !('name' in value))
    return Object.values(value);
  return typeof value === 'string' && value.startsWith('[') ? (parseJson(value) ?? value) : value;
}

/** The text of a value or of its name, as in `{"name":"Jane Doe"}`. Empty for null; undefined if there is no text. */
function scalarText(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null && 'name' in value)
    return typeof value.name === 'string' ? value.name.trim() : undefined;
  if (typeof value === 'string') return value.trim();
  if (value === null) return '';
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
}
