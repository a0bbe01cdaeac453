import { lookUp } from './account-lists.js';
import { askJson } from './api.js';
import { fold } from './views/marked.js';

/** @typedef {{ id: string, name: string, kind: string, city?: string, region?: string, country_name?: string }} Found what a line means; one of `choices` may mean several */
/** @typedef {{ found: Found[], choices: { line: string, records: Found[] }[], missing: string[] }} Resolved */

/** How many names are searched for at a time, and how many a line may have to choose from. */
const atOnce = 4;
const offered = 4;

/** A host, URL or address: one word with a point in it. */
const domain = /^\S+\.\p{L}{2,}(?:[/:?]\S*)?$/u;

/** The addresses of a line, with names or several as mail programs copy them; or else the line. @param {string} line */
function partsOf(line) {
  const addresses = line.split(/[\s<>,:"()]+/).filter((word) => /^[^/@]+@[^/@]+$/.test(word));
  return addresses.length > 0 ? addresses : [line.trim()];
}

/**
 * @param {string} text lines of names, domains and addresses, such as of a column of a spreadsheet
 * @returns {Promise<Resolved>}
 */
export async function resolvePasted(text) {
  const lines = [...new Set(text.split(/[\n;\t]/).flatMap(partsOf))].filter((line) => line !== '');
  const domains = lines.filter((line) => domain.test(line));
  const names = lines.filter((line) => !domain.test(line));
  /** @type {Resolved} */
  const resolved = { found: [], choices: [], missing: [] };
  /** @type {(line: string, records: Found[], isSure: boolean) => void} */
  const sort = (line, records, isSure) => {
    if (records.length === 0) resolved.missing.push(line);
    else if (isSure) resolved.found.push(...records);
    else resolved.choices.push({ line, records });
  };
  const hosts = await lookUp('domains', domains);
  domains.forEach((line, at) => {
    sort(line, hosts[at] ? [hosts[at]] : [], true);
  });
  for (let from = 0; from < names.length; from += atOnce) {
    const part = names.slice(from, from + atOnce);
    const answers = await Promise.all(part.map(findNamed));
    part.forEach((line, at) => {
      const records = answers[at] ?? [];
      const same = records.filter(({ name }) => lettersOf(name) === lettersOf(line));
      sort(line, same.length === 1 ? same : records.slice(0, offered), same.length === 1);
    });
  }
  const unique = new Map(resolved.found.map((record) => [record.id, record]));
  return { ...resolved, found: [...unique.values()] };
}

/** @param {string} line @returns {Promise<Found[]>} */
async function findNamed(line) {
  const fields = 'id,name,kind,city,region,country_name';
  const query = new URLSearchParams({ q: line.slice(0, 500), per_page: String(offered), fields });
  return (await askJson(`search?${query}`)).results;
}

/** The letters and digits of a name. @param {string} name */
function lettersOf(name) {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '');
}
