import { lookUp } from './account-lists.js';
import { askJson } from './api.js';
import { fold } from './views/marked.js';

/** @typedef {import('./views/record-parts.js').ShownContact} Contact */
/** What a line means: a medium, or a person or desk at one. @typedef {import('./views/record-parts.js').Row} Row */
/**
 * A pasted line and what it means: the one row, or rows to choose from; nothing if there are none or too many of them.
 * `matches`: how many records it may mean.
 * @typedef {{ line: string, row: Row | null, choices: Row[], matches: number }} PastedLine
 */

/** How many searches run at a time, and how many rows are offered for a line. */
const atOnce = 4;
const offered = 4;
/** Of more records at a host, nobody chooses one in a list: it is a provider's, or the line says too little. */
const mostToChoose = 20;

const address = /^[^/@\s]+@[^/@\s]+$/;
/** A host or URL: one word with a dot in it. */
const location = /^\S+\.\p{L}{2,}(?:[/:?#]\S*)?$/u;

/** The addresses in a pasted row, and its other cells. Beside others, a cell without a letter is a number or a date. @param {string} row */
function readRow(row) {
  const cells = row.split(/[;\t]/).map((cell) => cell.trim());
  const addresses = row.split(/[\s<>,;:"()]+/).filter((word) => address.test(word));
  const isTold = (/** @type {string} */ cell) => addresses.some((each) => cell.includes(each));
  const others = cells.filter((cell) => (cells.length > 1 ? /\p{L}/u.test(cell) : cell !== '') && !isTold(cell));
  return { addresses, others };
}

/**
 * Finds what is meant by each pasted line, or by each cell of a table, in their order, by the rules of a lookup. Of a row with an address that
 * finds something, the address alone counts.
 * @param {string} text lines of names, hosts, URLs and addresses, such as a column of a spreadsheet
 * @returns {Promise<PastedLine[]>}
 */
export async function resolvePasted(text) {
  const rows = text.split('\n').map(readRow);
  const ofAddresses = await lookUpAll('emails', [...new Set(rows.flatMap(({ addresses }) => addresses))]);
  const telling = new Set(ofAddresses.filter((each) => each.row !== null || isOpen(each)).map(({ line }) => line));
  const tells = (/** @type {string} */ line) => telling.has(line);
  const lines = new Set(
    rows.flatMap(({ addresses, others }) => [...addresses, ...(addresses.some(tells) ? [] : others)]),
  );
  const others = [...lines].filter((line) => !address.test(line));
  const names = others.filter((line) => !location.test(line));
  const looked = [
    ...ofAddresses,
    ...(await lookUpAll(
      'urls',
      others.filter((line) => location.test(line)),
    )),
  ];
  const offers = await inTurns(looked.filter(isOpen), async ({ line, matches }) => {
    const people = address.test(line) ? await findPeople(line, ({ email }) => isSameAddress(email, line)) : [];
    return { line, row: null, choices: people.length > 0 ? people : await search({ domain: line }), matches };
  });
  const resolved = [...looked, ...offers, ...(await inTurns(names, resolveName))];
  const byLine = new Map(resolved.map((resolvedLine) => [resolvedLine.line, resolvedLine]));
  return [...lines].flatMap((line) => byLine.get(line) ?? []);
}

/** Whether a line may mean each of several records. @param {PastedLine} looked */
const isOpen = ({ row, matches }) => row === null && matches > 0 && matches <= mostToChoose;

/** @param {string | null} email @param {string} line */
const isSameAddress = (email, line) => email?.toLowerCase() === line.toLowerCase();

/** An address means the person or desk that has it, else its medium. @param {'urls' | 'emails'} name @param {string[]} lines @returns {Promise<PastedLine[]>} */
async function lookUpAll(name, lines) {
  const results = await lookUp(name, lines);
  return results.map(({ record, matches }, at) => {
    const line = lines[at] ?? '';
    const contact = record?.contacts.find((/** @type {Contact} */ { email }) => isSameAddress(email, line));
    return { line, row: record && { record, contact }, choices: [], matches };
  });
}

/** @param {string} line @returns {Promise<PastedLine>} */
async function resolveName(line) {
  const q = line.slice(0, 500);
  const media = await search({ q });
  const namesakes = media.filter(({ record }) => lettersOf(record.name) === lettersOf(line));
  const isMeant = (/** @type {string | null} */ name, /** @type {string} */ medium) =>
    name !== null && [name, `${name} ${medium}`].some((said) => wordsOf(said) === wordsOf(line));
  const people = namesakes.length > 0 ? [] : await findPeople(q, ({ name }, medium) => isMeant(name, medium));
  const [row = null, ...otherRows] = namesakes.length > 0 ? namesakes : people;
  if (row !== null && otherRows.length === 0) return { line, row, choices: [], matches: 1 };
  const choices = people.length > 0 ? people : media;
  return { line, row: null, choices, matches: choices.length };
}

/** @param {Record<string, string>} parameters @returns {Promise<Row[]>} */
async function search(parameters) {
  const fields = 'id,name,kind,city,region,country_name';
  const query = new URLSearchParams({ ...parameters, per_page: String(offered), fields });
  return (await askJson(`search?${query}`)).results.map((/** @type {any} */ record) => ({ record }));
}

/** The people and desks that a text finds and that are meant. @param {string} q @param {(contact: Contact, medium: string) => boolean} isMeant @returns {Promise<Row[]>} */
async function findPeople(q, isMeant) {
  const { results } = await askJson(`contacts?${new URLSearchParams({ q })}`);
  return results
    .filter((/** @type {{ contact: Contact, record: any }} */ { contact, record }) => isMeant(contact, record.name))
    .slice(0, offered);
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

/** The words of a person's name in any order: `Doe, Jane` is Jane Doe. @param {string} name */
function wordsOf(name) {
  const words = fold(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.sort().join(' ');
}
