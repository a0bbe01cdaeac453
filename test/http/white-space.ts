/* What stands around a value. */

/** Of each kind that `trim` removes, also beyond ASCII; `\s` of Python lacks the last one. */
export const blanks = [
  ' ',
  '\t\r\n',
  '\v\f',
  '\u00a0',
  '\u1680',
  '\u2003\u200a',
  '\u2028\u2029',
  '\u202f',
  '\u3000',
  '\ufeff',
];
/** What looks blank and is not; the first four are in `\s` of Python. */
export const signs = [
  '\u001c',
  '\u001d',
  '\u001f',
  '\u0085',
  '\u180e',
  '\u200b',
  '\u200d',
  '\u2060',
  '\u2800',
  '\u3164',
  '\0',
];
