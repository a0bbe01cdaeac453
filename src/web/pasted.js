import { lookUp } from './account-lists.js';
import { askJson, faultOf, mayPass, secondsUntilRetry } from './api.js';
import { fold } from './views/marked.js';
import { rowKey } from './views/record-parts.js';

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

/**
 * The addresses in a pasted row, and its other cells. Beside others, a cell without a letter is a number or a date. `isOfTable`: it was
 * copied from a spreadsheet, so all of it is about one medium or person. @param {string} row
 */
function readRow(row) {
  const cells = row.split(/[;\t]/).map((cell) => cell.trim());
  const addresses = row.split(/[\s<>,;:"()]+/).filter((word) => address.test(word));
  const isTold = (/** @type {string} */ cell) => addresses.some((each) => cell.includes(each));
  const others = cells.filter((cell) => (cells.length > 1 ? /\p{L}/u.test(cell) : cell !== '') && !isTold(cell));
  return { addresses, others, isOfTable: row.includes('\t') && others.length > 1 };
}

/**
 * Finds what is meant by each pasted line, or by each row of a table, in their order, by the rules of a lookup. Of a row with an address that
 * finds something, the address alone counts; in a table, with one that a person or desk has.
 * @param {string} text lines of names, hosts, URLs and addresses, such as a column of a spreadsheet
 * @param {(done: number, all: number) => void} onProgress how many names were looked up
 * @returns {Promise<PastedLine[]>}
 */
export async function resolvePasted(text, onProgress) {
  const rows = text.split('\n').map(readRow);
  const ofAddresses = await lookUpAll('emails', [...new Set(rows.flatMap(({ addresses }) => addresses))]);
  const lookedUp = new Map(ofAddresses.map((each) => [each.line, each]));
  const tells = (/** @type {string} */ line, /** @type {boolean} */ isOfTable) => {
    const each = lookedUp.get(line);
    return each !== undefined && (isOpen(each) || (isOfTable ? Boolean(each.row?.contact) : each.row !== null));
  };
  /** What finds each line that no lookup finds, by the line. @type {Map<string, () => Promise<PastedLine>>} */
  const searches = new Map();
  const lines = new Set(
    rows.flatMap(({ addresses, others, isOfTable }) => {
      if (addresses.some((line) => tells(line, isOfTable))) return addresses;
      if (!isOfTable) return [...addresses, ...others];
      const line = [...others, ...addresses].join(', ');
      const atHost = addresses.flatMap((each) => lookedUp.get(each)?.row ?? []);
      searches.set(line, () => resolveTableRow(line, others, atHost));
      return line;
    }),
  );
  const others = [...lines].filter((line) => !address.test(line) && !searches.has(line));
  for (const line of others.filter((each) => !location.test(each))) searches.set(line, () => resolveName(line));
  const ofLocations = others.filter((line) => location.test(line));
  const looked = [...ofAddresses, ...(await lookUpAll('urls', ofLocations))];
  const offers = await inTurns(looked.filter(isOpen), async ({ line, matches }) => {
    const people = address.test(line) ? await findPeople(line, ({ email }) => isSameAddress(email, line)) : [];
    return { line, row: null, choices: people.length > 0 ? people : await search({ domain: line }), matches };
  });
  const showDone = (/** @type {number} */ done) => onProgress(done, searches.size);
  const searched = await inTurns([...searches.values()], (run) => run(), showDone);
  const byLine = new Map([...looked, ...offers, ...searched].map((each) => [each.line, each]));
  return [...lines].flatMap((line) => byLine.get(line) ?? []);
}

/** Whether a line may mean each of several records. @param {PastedLine} looked */
const isOpen = ({ row, matches }) => row === null && matches > 0 && matches <= mostToChoose;

/** @param {string | null} email @param {string} line */
const isSameAddress = (email, line) => email?.toLowerCase() === line.toLowerCase();

/** An address means the person or desk that has it, else its medium. @param {'urls' | 'emails'} name @param {string[]} lines @returns {Promise<PastedLine[]>} */
async function lookUpAll(name, lines) {
  const results = await askPatiently(() => lookUp(name, lines));
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
  const namesakes = media.filter(({ record }) => isNamed(record, line));
  const isMeant = (/** @type {string | null} */ name, /** @type {string} */ medium) =>
    name !== null && [name, `${name} ${medium}`].some((said) => wordsOf(said) === wordsOf(line));
  const people = namesakes.length > 0 ? [] : await findPeople(q, ({ name }, medium) => isMeant(name, medium));
  const meant = namesakes.length > 0 ? namesakes : people;
  return meant.length === 1 ? oneOf(line, meant) : oneOf(line, [], people.length > 0 ? people : media);
}

/**
 * A row of a spreadsheet is the person whose name and medium it has. Somebody of that name at another medium may have moved, so she is
 * offered. Without a person it is the medium that its URL or its first cell names, or that has the host of its address.
 * @param {string} line @param {readonly string[]} cells @param {readonly Row[]} atHost @returns {Promise<PastedLine>}
 */
async function resolveTableRow(line, cells, atHost) {
  const [first = '', second = ''] = cells.map((cell) => cell.slice(0, 250));
  const names = [`${first} ${second}`, ...cells].map(wordsOf);
  /** @type {Row[]} */
  let elsewhere = [];
  for (const q of [`${first} ${second}`, first, second]) {
    const people = (await askPeople(q)).filter(({ contact }) => names.includes(wordsOf(contact?.name ?? '')));
    const there = people.filter(({ record }) => names.includes(wordsOf(record.name)));
    if (there.length > 0) return oneOf(line, there);
    elsewhere = [...elsewhere, ...people];
  }
  if (elsewhere.length > 0) return oneOf(line, [], [...new Map(elsewhere.map((row) => [rowKey(row), row])).values()]);
  const [page] = await lookUpAll('urls', cells.filter((cell) => location.test(cell)).slice(0, 1));
  if (page?.row) return { ...page, line };
  const namesakes = (await search({ q: first })).filter(({ record }) => isNamed(record, first));
  return oneOf(line, namesakes.length > 0 ? namesakes : atHost);
}

/** A line with the one row that it means, or with rows to choose from. @param {string} line @param {readonly Row[]} meant @param {readonly Row[]} choices @returns {PastedLine} */
function oneOf(line, meant, choices = meant) {
  if (meant.length === 1) return { line, row: meant[0] ?? null, choices: [], matches: 1 };
  return { line, row: null, choices: choices.slice(0, offered), matches: choices.length };
}

/** @param {Record<string, string>} parameters @returns {Promise<Row[]>} */
async function search(parameters) {
  const fields = 'id,name,kind,city,region,country_name';
  const query = new URLSearchParams({ ...parameters, per_page: String(offered), fields });
  const { results } = await askPatiently(() => askJson(`search?${query}`));
  return results.map((/** @type {any} */ record) => ({ record }));
}

/** The people and desks that a text finds. @param {string} q @returns {Promise<Row[]>} */
async function askPeople(q) {
  return (await askPatiently(() => askJson(`contacts?${new URLSearchParams({ q })}`))).results;
}

/** Those of them that are meant. @param {string} q @param {(contact: Contact, medium: string) => boolean} isMeant @returns {Promise<Row[]>} */
async function findPeople(q, isMeant) {
  const people = await askPeople(q);
  return people.filter(({ contact, record }) => contact && isMeant(contact, record.name)).slice(0, offered);
}

/**
 * Asks again what may be answered later: a long list needs more requests than a plan has in a minute.
 * @template Answer @param {() => Promise<Answer>} ask @returns {Promise<Answer>}
 */
async function askPatiently(ask, triesLeft = 20) {
  try {
    return await ask();
  } catch (error) {
    const fault = faultOf(error);
    if (!mayPass(fault) || triesLeft === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 1_000 * secondsUntilRetry(fault)));
    return askPatiently(ask, triesLeft - 1);
  }
}

/**
 * A few at a time, in order.
 * @template Item, Answer
 * @param {readonly Item[]} items
 * @param {(item: Item) => Promise<Answer>} work
 * @param {(done: number) => void} onProgress
 */
async function inTurns(items, work, onProgress = () => {}) {
  /** @type {Answer[]} */
  const answers = [];
  for (let from = 0; from < items.length; from += atOnce) {
    answers.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
    onProgress(answers.length);
  }
  return answers;
}

/** Whether a medium has this name. @param {{ name: string }} record @param {string} text */
const isNamed = ({ name }, text) => lettersOf(name) === lettersOf(text);

/** @param {string} name */
function lettersOf(name) {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The words of a person's name in any order: `Doe, Jane` is Jane Doe. @param {string} name */
function wordsOf(name) {
  const words = fold(name).match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.sort().join(' ');
}
