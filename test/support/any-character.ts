import fc from 'fast-check';

/**
 * Any character, and halves of one: a `unit` for fc.string. Its own `binary` describes the same, but takes more than a second
 * to be made in each thread of the tests.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff).map((code) => String.fromCodePoint(code));
