import { lookUp } from './account-lists.js';
import { askJson } from './api.js';
import { fold } from './views/marked.js';

/** @typedef {{ id: string, name: string, kind: string, city?: string, region?: string, country_name?: string }} Found a record that a line means */
/** `choices`: lines that may mean several records. @typedef {{ found: Found[], choices: { line: string, records: Found[] }[], missing: string[] }} Resolved */

/** How many names are searched for at a time, and how many records are offered for a name. */
const atOnce = 4;
const offered = 4;

/** A host, URL or email address: one word with a dot in it. */
const domain = /^\S+\.\p{L}{2,}(?:[/:?]\S*)?$/u;

/** The addresses in a line, such as `Jane Doe <jane@x.org>, bob@y.org`; the line itself if there are none. @param {string} line */
function partsOf(line) {
  const addresses = line.split(/[\s<>,:"()]+/).filter((word) => /^[^/@]+@[^/@]+$/.test(word));
  return addresses.length > 0 ? addresses : [line.trim()];
}

/**
 * Finds the records that pasted lines mean.
 * @param {string} text lines of names, domains and addresses, such as a column of a spreadsheet
 * @returns {Promise<Resolved>}
 */
export async function resolvePasted(text) {
  const lines = [...new Set(text.split(/[\n;\t]/).flatMap(partsOf))].filter((line) => line !== '');
  const domains = lines.filter((line) => domain.test(line));
  const names = lines.filter((line) => !domain.test(line));
  /** @type {Resolved} */
  const resolved = { found: [], choices: [], missing: [] };
  const hosts = await lookUp('domains', domains);
  domains.forEach((line, at) => {
    if (hosts[at]) resolved.found.push(hosts[at]);
    else resolved.missing.push(line);
  });
  for (let from = 0; from < names.length; from += atOnce) {
    const part = names.slice(from, from + atOnce);
    const answers = await Promise.all(part.map(findNamed));
    part.forEach((line, at) => {
      const records = answers[at] ?? [];
      const same = records.filter(({ name }) => lettersOf(name) === lettersOf(line));
      if (records.length === 0) resolved.missing.push(line);
      else if (same.length === 1) resolved.found.push(...same);
      else resolved.choices.push({ line, records: records.slice(0, offered) });
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

/** @param {string} name */
function lettersOf(name) {
  return fold(name).replace(/[^\p{L}\p{N}]+/gu, '');
}
