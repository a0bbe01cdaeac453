import fc from 'fast-check';
import { anyCharacter } from '#testing/any-character.ts';

const pieces = [
  ...['&lt;', '&amp;', '&#64;', '&#x', '&', '#', ';', '<', '>', '=', '/', '<b>', '<script>', '</script>', '<!--', '"'],
  ...['@', 'a@b.example', '%40', '%2540', '[at]', ' at ', '.', 'com', ' ', '\t', '\n', '\u00a0', '＠', 'mailto:'],
  ...[
    'Ã',
    '¡',
    '\u0083',
    'â€™',
    '\u037e',
    '\0',
    '\u0301',
    '\ufeff',
    '\u202e',
    '\ud800',
    '😀',
    '日報',
    'ا',
    '|',
    ',',
    '-',
  ],
  ...[
    'http://',
    'https://',
    'www.',
    'x.example',
    'javascript:',
    '?',
    'N/A',
    'null',
    '12',
    'k',
    'news',
    'GB',
    'England',
  ],
];

/** Text that is made to break cleaning: pieces of markup, addresses, encodings and characters of every sort. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: anyCharacter, maxLength: 5 })), { maxLength: 20 })
  .map((parts) => parts.join(''));

/**
 * An address as anybody writes it, in text that was cleaned: what must never be left. Which other forms are found is
 * tested form by form (addresses/address-forms.ts).
 */
export const plainAddress = /[\p{L}\p{N}_.+-]@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+[\p{L}\p{N}]/u;
