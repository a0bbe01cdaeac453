import { lookUp } from './account-lists.js';
import { askJson } from './api.js';
import { fold } from './views/marked.js';

/** @typedef {{ id: string, name: string, kind: string, city?: string, region?: string, country_name?: string }} Found a record that a line may mean */
/**
 * A pasted line and what it means: the one record, or records to choose from; nothing if there are none or too many of them.
 * `matches`: how many records it may mean.
 * @typedef {{ line: string, record: Found | null, choices: Found[], matches: number }} PastedLine
 */

/** How many searches run at a time, and how many records are offered for a line. */
const atOnce = 4;
const offered = 4;
/** Of more records at a host, nobody chooses one in a list: it is a provider's, or the line says too little. */
const mostToChoose = 20;

const address = /^[^/@\s]+@[^/@\s]+$/;
/** A host or URL: one word with a dot in it. */
const location = /^\S+\.\p{L}{2,}(?:[/:?#]\S*)?$/u;

/** The addresses in a line, such as `Jane Doe <jane@x.org>, bob@y.org`; the line itself if there are none. @param {string} line */
function partsOf(line) {
  const addresses = line.split(/[\s<>,:"()]+/).filter((word) => address.test(word));
  return addresses.length > 0 ? addresses : [line.trim()];
}

/**
 * Finds what each pasted line means, in the order of the lines, by the rules of a lookup.
 * @param {string} text lines of names, hosts, URLs and addresses, such as a column of a spreadsheet
 * @returns {Promise<PastedLine[]>}
 */
export async function resolvePasted(text) {
  const lines = [...new Set(text.split(/[\n;\t]/).flatMap(partsOf))].filter((line) => line !== '');
  const emails = lines.filter((line) => address.test(line));
  const urls = lines.filter((line) => !address.test(line) && location.test(line));
  const names = lines.filter((line) => !emails.includes(line) && !urls.includes(line));
  const looked = [...(await lookUpAll('emails', emails)), ...(await lookUpAll('urls', urls))];
  const open = looked.filter(({ record, matches }) => record === null && matches > 0 && matches <= mostToChoose);
  const offers = await inTurns(open, async ({ line, matches }) => ({
    line,
    record: null,
    choices: await search({ domain: line }),
    matches,
  }));
  const resolved = [...looked, ...offers, ...(await inTurns(names, resolveName))];
  const byLine = new Map(resolved.map((resolvedLine) => [resolvedLine.line, resolvedLine]));
  return lines.flatMap((line) => byLine.get(line) ?? []);
}

/** @param {'urls' | 'emails'} name @param {string[]} lines @returns {Promise<PastedLine[]>} */
async function lookUpAll(name, lines) {
  const results = await lookUp(name, lines);
  return results.map(({ record, matches }, at) => ({ line: lines[at] ?? '', record, choices: [], matches }));
}

/** @param {string} line @returns {Promise<PastedLine>} */
async function resolveName(line) {
  const records = await search({ q: line.slice(0, 500) });
  const [namesake, ...otherNamesakes] = records.filter(({ name }) => lettersOf(name) === lettersOf(line));
  const isOne = namesake !== undefined && otherNamesakes.length === 0;
  return { line, record: isOne ? namesake : null, choices: isOne ? [] : records, matches: records.length };
}

/** @param {Record<string, string>} parameters @returns {Promise<Found[]>} */
async function search(parameters) {
  const fields = 'id,name,kind,city,region,country_name';
  return (await askJson(`search?${new URLSearchParams({ ...parameters, per_page: String(offered), fields })}`)).results;
}

/**
 * A few at a time, in order.
 * @template Item, Answer
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Answer>} work
 */
async function inTurns(items, work) {
  /** @type {Answer[]} */
  const answers = [];
  for (let from = 0; from < items.length; from += atOnce) {
    answers.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
  }
  return answers;
}

/** @param {string} name */
function lettersOf(name) {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '');
}
