import { findHost } from '#domain/search/hosts.ts';
import { either, namesOfDot, spacelessNamesOfDot } from './address-words.ts';
import type { Sign, Span } from './find-signs.ts';

/** Only ever the full stop of a domain: `.`, `[dot]`, `*dot*`. */
const certainDot = new RegExp(
  `\\.+(?=[\\p{L}\\p{N}_-])| ?(?:[([{<]{1,3} ?(?:${either([...namesOfDot, ...spacelessNamesOfDot])}|[.,]) ?[)\\]}>]{1,3}|([*_|~"'\`-]) ?(?:${either(namesOfDot)}|\\.) ?\\1) ?`,
  'iuy',
);
/** May also end a sentence or be one of its words. */
const doubtfulDots = [
  new RegExp(` (?:${either(namesOfDot)}) | ?(?:${either(spacelessNamesOfDot)}) ?`, 'iuy'),
  / \.+ ?|\.+ (?=\p{Ll}{2})/uy,
];
/** The same after "at" as a word: not "at some point in" and "at all. it", since .in and .it are top-level domains. */
const doubtfulDotsInEnglish = [
  / (?:dot|punkt) /iuy,
  / \.+ ?|\.+ (?=(?:com|org|net|edu|gov|info|co|eu|uk|de|fr|ch|nl|se|pl|ru|cz|jp|cn|au|nz|br|mx)(?![\p{L}\p{N}]))/uy,
];
/** Stands for a full stop only after a certain @: `jane@example,org`, `jane@example/example.org`. */
const mistakenDot = /,(?=[a-z])|\/(?=[a-z\d-]+\.)/iy;

const lead = /;?(?:\([^()]{0,64}\))? ?["'`*([{<]{0,2}\.* ?/y;
/** A label that starts in a script with spaces ends where a script without spaces starts. */
const label = /[[\p{L}\p{N}_\-]--[\u2e80-\u{3ffff}]]{1,63}|[\p{L}\p{N}_\-]{1,63}/vy;
const numericHost = / ?(?:\d{1,3}\.){3}\d{1,3}(?![\d.]*[\p{L}\d])| ?\[(?:IPv6:)?[\d.:a-f]{2,45}\]/iuy;
const maxLabels = 40;
/** `exampleDOTorg`, `example_dot_org` */
const innerDot = new RegExp(`(?<=[a-z\\d])DOT(?=[a-z])|[_-](?:DOT|Dot|${either(namesOfDot)})[_-]`, 'u');
const gluedDot = /^[\p{L}\p{N}-]{2,}dot(?:com|org|net|edu|gov|info|biz|eu|uk|de|fr|es|it|nl|io|co|tv)$/iu;

/**
 * Where the domain at this position ends; null if there is none. After a certain sign any dotted name is a domain.
 * After a word, or with a doubtful full stop, it must be a host under an existing top-level domain.
 */
export function readDomain(
  text: string,
  start: number,
  { isAt, isCertain, isPreposition }: Sign,
  isPath: boolean,
): number | null {
  const numeric = isAt ? endOf(numericHost, text, start) : null;
  if (numeric !== null) return numeric;
  const begin = endOf(lead, text, start) ?? start;
  const labels = readLabels(text, begin, isPreposition ? doubtfulDotsInEnglish : doubtfulDots, isAt);
  for (let count = labels.length; count > 0; count -= 1) {
    const last = labels[count - 1];
    if (last !== undefined && isDomain(labels.slice(0, count), isAt, isCertain)) return last.end;
  }
  return isAt && isCertain ? endOf(isPath ? remainsInPath : remains, text, start) : null;
}

/** Anything else with a full stop in it: `jane@(example).org`, `jane@..org`. */
const remains = /\.+[^\s@.]+|[^\s@.]{1,64}\.[^\s@]+/y;
const remainsInPath = /\.+[^\s@./]+|[^\s@./]{1,64}\.[^\s@/]+/y;

/** Where the label after an @ ends if a host spelled backwards precedes it: `gro.elpmaxe@enaj`. */
export function readBackwards(text: string, local: Span, start: number): number | null {
  const backwards = /[\p{L}\p{N}.-]{3,99}$/u.exec(text.slice(local.start, local.end))?.[0] ?? '';
  return isHost([...backwards].reverse().join('')) ? endOf(label, text, start) : null;
}

interface Label {
  text: string;
  end: number;
  /** Whether something other than a full stop may separate it from the previous label. */
  isDoubtful: boolean;
}

function readLabels(text: string, start: number, doubtfulDots: readonly RegExp[], isAt: boolean): Label[] {
  const labels: Label[] = [];
  let isDoubtful = false;
  for (let offset: number | null = start; offset !== null && labels.length < maxLabels; ) {
    const end = endOf(label, text, offset);
    if (end === null) break;
    const parts = text.slice(offset, end).split(innerDot);
    labels.push(...parts.map((part, index) => ({ text: part, end, isDoubtful: isDoubtful || index > 0 })));
    offset = endOf(certainDot, text, end);
    isDoubtful = offset === null;
    for (const dot of [...doubtfulDots, ...(isAt ? [mistakenDot] : [])]) offset ??= endOf(dot, text, end);
  }
  return labels;
}

function isDomain(labels: readonly Label[], isAt: boolean, isCertain: boolean): boolean {
  const [first, ...others] = labels;
  const last = others.at(-1);
  if (first === undefined || last === undefined) return isAt && gluedDot.test(first?.text ?? '');
  const hasPlainDots = !others.some(({ isDoubtful }) => isDoubtful);
  if (hasPlainDots && (isAt || isCertain)) return /\p{L}/u.test(last.text);
  // Starts of page names.
  if (!isAt && /^www\d?$/i.test(first.text)) return false;
  return isHost(labels.map(({ text }) => text).join('.'));
}

const maxHostLength = 253;

function isHost(text: string): boolean {
  return text.length <= maxHostLength && findHost(text) !== null;
}

/** Where the pattern's match at exactly this position ends; null if it does not match. */
function endOf(pattern: RegExp, text: string, start: number): number | null {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : null;
}
