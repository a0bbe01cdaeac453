import { elements } from '#domain/normalize/strip-markup.ts';
import { readCharacter } from './read-character.ts';

/**
 * A text the way people and programs that look for an address read it: encodings decoded (percent, HTML entities, JSON
 * escapes, nested to any depth), look-alikes replaced by the character they stand for, without tags and invisible
 * characters, whitespace runs as one space. Use it only to search: matches are cut out of the source.
 */
export interface AddressView {
  text: string;
  /** For each code unit of `text`, and for its end, its position in the source. */
  origins: readonly number[];
}

/** The work grows only with the length of the source, however its encodings are nested. */
export function viewAddresses(source: string, decodes = true): AddressView {
  const reader = new AddressReader(decodes);
  for (let offset = 0; offset < source.length; offset += 1) {
    const code = source.codePointAt(offset) ?? 0;
    reader.read(code, offset);
    if (code > 0xffff) offset += 1;
  }
  return withoutTags(reader.end(source.length));
}

const tag = new RegExp(`<(?:!--[^>]{0,200}--|/?(?:${elements})(?:[\\s/][^<>]{0,200})?)>`, 'gi');

/** Encodings can hide markup, also in ids and URLs. */
function withoutTags({ text, origins }: AddressView): AddressView {
  const tags = text.includes('<') ? [...text.matchAll(tag)] : [];
  if (tags.length === 0) return { text, origins };
  const texts: string[] = [];
  const kept: number[] = [];
  let end = 0;
  for (const { index, 0: found } of tags) {
    texts.push(text.slice(end, index));
    for (const origin of origins.slice(end, index)) kept.push(origin);
    end = index + found.length;
  }
  for (const origin of origins.slice(end)) kept.push(origin);
  return { text: texts.join('') + text.slice(end), origins: kept };
}

/** Entities that can spell an address, besides letters. */
const entities: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ensp: ' ', emsp: ' ', thinsp: ' ', Tab: ' ' },
  ...{ commat: '@', period: '.', middot: '.', num: '#', percnt: '%', semi: ';', colon: ':', comma: ',', sol: '/' },
  ...{ bsol: '\\', lpar: '(', rpar: ')', lsqb: '[', lbrack: '[', rsqb: ']', rbrack: ']', lcub: '{', rcub: '}' },
  ...{ lbrace: '{', rbrace: '}', lowbar: '_', hyphen: '-', dash: '-', plus: '+', equals: '=', ast: '*', midast: '*' },
  ...{ shy: '', zwnj: '', zwj: '', lrm: '', rlm: '', NewLine: ' ', excl: '!', vert: '|', verbar: '|', grave: '`' },
};
const numericEntity = /&#(?:\d{1,7}|x[\da-f]{1,6})$/i;
const entity = /&(#?[a-z\d]{1,10});$/i;
const bracedEscape = /\\u\{([\da-f]{1,6})\}$/i;
const maxEscapeLength = 12;

/** Units are UTF-16 code units. */
const [space, hash, percent, semicolon, backslash, closingBrace, letterU, letterX] = [
  0x20, 0x23, 0x25, 0x3b, 0x5c, 0x7d, 0x75, 0x78,
] as const;
/** A byte of an incomplete character is kept as a lone surrogate, which well-formed text never contains. */
const byteMark = 0xdc00;
/** The first bytes of UTF-8 characters with two, three and four bytes. */
const leads = [
  { length: 2, first: 0xc2, last: 0xdf },
  { length: 3, first: 0xe0, last: 0xef },
  { length: 4, first: 0xf0, last: 0xf4 },
] as const;

/**
 * Appends unit after unit and decodes an encoding as soon as its last unit completes it. The result is appended in its
 * place and may complete another encoding, so nothing is read twice.
 */
class AddressReader {
  readonly #units: number[] = [];
  readonly #origins: number[] = [];
  /** Units still to append, the next one last. No recursion: encodings can be nested as deep as a text is long. */
  readonly #pending: { unit: number; origin: number }[] = [];
  readonly #decodes: boolean;
  #hasNumericEntity = false;

  constructor(decodes: boolean) {
    this.#decodes = decodes;
  }

  read(code: number, origin: number): void {
    if (code < 0x80) this.#append(code, origin);
    else this.#prepend(code, origin);
    this.#appendPending();
  }

  end(length: number): AddressView {
    this.#closeEntity(space, length);
    this.#appendPending();
    const texts: string[] = [];
    for (let start = 0; start < this.#units.length; start += 4_096) {
      texts.push(String.fromCharCode(...this.#units.slice(start, start + 4_096)));
    }
    return { text: texts.join(''), origins: [...this.#origins, length] };
  }

  /** Inserts a character before everything that is still to be appended. */
  #prepend(code: number, origin: number): void {
    const text = code < 0x80 ? String.fromCharCode(code) : readCharacter(code);
    for (let index = text.length - 1; index >= 0; index -= 1) {
      this.#pending.push({ unit: text.charCodeAt(index), origin });
    }
  }

  #appendPending(): void {
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) {
      this.#append(next.unit, next.origin);
    }
  }

  #append(code: number, origin: number): void {
    const unit = code >= 0x09 && code <= 0x0d ? space : code;
    if (unit < space || unit === 0x7f) return;
    if (this.#hasNumericEntity && this.#closeEntity(unit, origin)) return;
    if (unit === space && this.#last(1) === space) return;
    this.#units.push(unit);
    this.#origins.push(origin);
    if (!this.#decodes) return;
    if (isHexDigit(unit)) this.#decodeHex();
    else if (unit === semicolon) this.#decodeEntity();
    else if (unit === closingBrace) this.#decodeBraced();
    else if (unit === hash) this.#hasNumericEntity = true;
  }

  /** `%40`, `\x40`, `%u0040`, `\u0040` */
  #decodeHex(): void {
    if (this.#last(3) === percent) this.#decodeByte(this.#hexadecimal(2));
    else if (this.#last(4) === backslash && this.#last(3) === letterX) this.#decode(4, this.#hexadecimal(2));
    else if (this.#last(5) === letterU && (this.#last(6) === backslash || this.#last(6) === percent)) {
      this.#decode(6, this.#hexadecimal(4));
    }
  }

  #decodeByte(byte: number): void {
    if (!(byte >= 0x80)) {
      this.#decode(3, byte);
      return;
    }
    const origin = this.#drop(3);
    this.#units.push(byteMark + byte);
    this.#origins.push(origin);
    for (const { length, first, last } of leads) {
      const [lead = 0, ...others] = this.#units.slice(-length).map((unit) => unit - byteMark);
      if (others.length < length - 1 || others.some((other) => other < 0x80 || other > 0xbf)) return;
      if (lead < first || lead > last) continue;
      this.#decode(
        length,
        others.reduce((sum, other) => sum * 64 + other - 0x80, lead & (0x7f >> length)),
      );
      return;
    }
  }

  /** `&#64;`, `&commat;` */
  #decodeEntity(): void {
    const [found, name = ''] = entity.exec(this.#ending()) ?? [];
    if (found === undefined) return;
    const meant = entities[name];
    if (name.startsWith('#')) this.#decode(found.length, numberOf(name.slice(1)));
    else if (meant === '') this.#drop(found.length);
    else if (meant !== undefined) this.#decode(found.length, meant.charCodeAt(0));
  }

  /**
   * `&#64` without its `;`, which browsers accept too: it ends before the next unit. Returns whether there was one, and
   * if so puts that unit after it.
   */
  #closeEntity(next: number, origin: number): boolean {
    if (next === semicolon || isDigit(next) || !isHexDigit(this.#last(1))) return false;
    const found = numericEntity.exec(this.#ending())?.[0];
    if (found === undefined || (/x/i.test(found) && isHexDigit(next))) return false;
    const code = numberOf(found.slice(2));
    if (!isCharacter(code)) return false;
    this.#pending.push({ unit: next, origin });
    this.#decode(found.length, code);
    return true;
  }

  /** `\u{40}` */
  #decodeBraced(): void {
    const [found = '', digits = ''] = bracedEscape.exec(this.#ending()) ?? [];
    this.#decode(found.length, Number.parseInt(digits, 16));
  }

  /** Replaces the given number of last units with a character; does nothing if the code is not a character. */
  #decode(length: number, code: number): void {
    if (isCharacter(code)) this.#prepend(code, this.#drop(length));
  }

  /** Removes the given number of last units; returns where they began in the source. */
  #drop(length: number): number {
    const start = this.#units.length - length;
    const origin = this.#origins[start] ?? 0;
    this.#units.length = start;
    this.#origins.length = start;
    return origin;
  }

  #last(back: number): number {
    return this.#units[this.#units.length - back] ?? -1;
  }

  #ending(): string {
    return String.fromCharCode(...this.#units.slice(-maxEscapeLength));
  }

  /** The number that the given number of last units spell; NaN if none. */
  #hexadecimal(length: number): number {
    const digits = this.#units.slice(-length);
    return digits.every(isHexDigit) ? Number.parseInt(String.fromCharCode(...digits), 16) : Number.NaN;
  }
}

/** The number of a numeric entity: `64`, `x40`. */
function numberOf(text: string): number {
  return /^x/i.test(text) ? Number.parseInt(text.slice(1), 16) : Number.parseInt(text, 10);
}

function isCharacter(code: number): boolean {
  return code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

function isHexDigit(unit: number): boolean {
  return isDigit(unit) || (unit >= 0x41 && unit <= 0x46) || (unit >= 0x61 && unit <= 0x66);
}
