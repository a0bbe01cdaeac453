import { wordsOfUse } from '#languages/words.ts';
import type { RangeFilter } from '../search-query.ts';

/** The audience that a text asks for. */
interface TypedAudience {
  /** The text without it. */
  rest: string;
  /** It as it was typed; empty if the text says nothing of it. */
  typed: string;
  filters: RangeFilter[];
}

/** Fewer are hardly an audience: `newsletters for readers over 50`. */
const minAudience = 100;

/** One of the words of a use in the files of languages: `audience.least`. */
const oneOf = (use: string) => {
  const words = wordsOfUse(`audience.${use}`).map((word) => word.replaceAll(' ', '\\s+'));
  return `(?:${words.join('|')})(?!\\p{L})`;
};
const bound = `(?:(?<most>${oneOf('most')})|${oneOf('least')})`;
const number = `(?<digits>\\d+(?:[.,' ]\\d+)*)\\s?(?:(?<thousand>${oneOf('thousand')})|(?<million>${oneOf('million')}))?`;
const audience = `(?:${oneOf('often')}\\s+)?${oneOf('audience')}`;
const begin = `(?<![^\\s,])(?:${oneOf('with')}\\s+)?`;
/** `with more than 10,000 monthly listeners`, `10k+ subscribers`; `circulation over 50,000` */
const forms = [
  `${bound}?\\s*${number}\\s*\\+?\\s*${audience}`,
  `${audience}\\s*(?:of\\s+)?${bound}\\s*${number}\\+?`,
].map((form) => new RegExp(begin + form, 'iu'));

/** Reads how large an audience a text asks for, as a filter: hardly any text of a record says it. */
export function readAudience(text: string): TypedAudience {
  const match = /\d/.test(text) ? (forms[0]?.exec(text) ?? forms[1]?.exec(text)) : null;
  const { digits = '', most, thousand, million } = match?.groups ?? {};
  // `10.000` and `10 000` are ten thousand, `1.5` is not.
  const plain = Number(digits.replace(/[.,' ](?=\d{3}(?!\d))/g, '').replace(',', '.'));
  const value = Math.round(plain * (thousand ? 1e3 : 1) * (million ? 1e6 : 1));
  if (!match || !Number.isSafeInteger(value) || value < minAudience) return { rest: text, typed: '', filters: [] };
  const typed = match[0].trim();
  const rest = text.replace(typed, '').replace(/\s+/g, ' ').trim();
  return { rest, typed, filters: [{ range: 'audience', bound: most ? 'to' : 'from', value }] };
}
