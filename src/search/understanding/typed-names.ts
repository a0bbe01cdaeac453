import { nameKeysOf } from '#text/name-keys.ts';
import { compactName } from '../indexed/name-forms.ts';
import { isRegionCode } from '../words/concepts-of.ts';
import { isRecognized } from '../words/parts.ts';
import { isFiller, isRoleWord, isValueWord } from '../words/query-words.ts';
import { readParts } from '../words/read-parts.ts';
import { isCallSign } from './call-signs.ts';

/* Names that a text has besides itself. */

/** Not the comma of a frequency: `95,5`. */
const listSeparator = /[;\t\n|]|,(?!(?<=\d,)\d)|\s[-–—·/]\s|:\s/;

/** As people write names, but not words: `Bunte, GQ`, `3AW`, `egoFM`, `hr3`, not `wine, cheese`. */
const writtenAsName = /^\s*\p{Lu}\p{L}|\d\p{Lu}{2}|\p{Ll}(?:\p{Lu}|\d)/u;

/** The name behind a role: `editor at the oregonian`, `who covers climate at the oregonian` → `oregonian`. Empty without one. */
export function nameBehindRole(words: readonly string[]): string[] {
  const place = words.lastIndexOf('at') + 1;
  const isAt = place > 0 && place < words.length && words.slice(0, place).some(isRoleWord);
  const from = isAt ? place : 0;
  const start = from + words.slice(from).findIndex((word) => !isFiller(word));
  return words.slice(0, start).some(isValueWord) ? [words.slice(start).join(' ')] : [];
}

/**
 * `Denver Post; The Boston Globe` → `denverpost`, `thebostonglobe`, `bostonglobe`. No list of places, topics or words is meant so.
 * The title of a page has a name too: `Bridge opens | Denver Post`.
 */
export function namesInList(typed: string): string[] {
  const pieces = typed.split(listSeparator);
  if (pieces.length < 2) return [];
  const names = pieces.map(nameKeysOf).filter(({ own }) => own !== '' && !isRegionCode(own));
  const telling = names.filter(({ own }) => !readParts(own.split(' ')).every(isRecognized));
  const isWrittenSo = (piece: string) => writtenAsName.test(piece) || isCallSign(piece.trim());
  const isNamed = telling.some(({ own }) => own.includes(' ')) || pieces.every(isWrittenSo);
  const isList = telling.length > 1 && telling.length * 2 > pieces.length && isNamed;
  // Among names, `Gulf News` is one.
  const listed = names.filter((name) => telling.includes(name) || name.own.includes(' '));
  return isList ? listed.flatMap(({ own, others }) => [own, ...others].map(compactName)) : [];
}
