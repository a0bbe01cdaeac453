/**
 * White space, which does not count around a value: exactly what `String.trim` removes. Written out, since `\s` differs
 * between languages: only ECMAScript's has U+FEFF, and only Python's has U+0085 and U+001C to U+001F.
 */
const blanks = '[\\t-\\r \\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff]*';

/** The JSON Schema pattern of a text in which something is required, with blanks around it. */
export function trimmedPattern(inner: string): string {
  return `^${blanks}${inner}${blanks}$`;
}

/**
 * The JSON Schema pattern of a parameter, which counts as absent if it is blank. Inner alternatives need no parentheses.
 */
export function parameterPattern(inner: string): string {
  return `^${blanks}(?:(?:${inner})${blanks})?$`;
}

/**
 * How a parameter with a closed list of words is described: as these words, for people and generated clients, or as any
 * other text that is read as one of them. The words have only letters, digits and hyphens.
 */
export function closedParameter(words: readonly string[]) {
  const inner = words.map((word) => word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)).join('|');
  const type = 'string' as const;
  return {
    type,
    anyOf: [
      { type, enum: [...words] },
      { type, pattern: parameterPattern(inner) },
    ],
  };
}
