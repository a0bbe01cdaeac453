import { repairMojibake } from './repair-mojibake.ts';
import { mayHoldAddress, scrubAddresses } from './scrub-addresses.ts';
import { stripMarkup } from './strip-markup.ts';

/** What cleaning did to a text that its owner should know. */
export type TextChange = 'control_characters' | 'address_removed' | 'repaired' | 'cut';

/** Printable ASCII without anything that cleaning looks at. */
const plain = /^[!"#$%'-;=?A-Z\\[\]^_`a-z{|}~]+(?: [!"#$%'-;=?A-Z\\[\]^_`a-z{|}~]+)*$/;

const controls = /[\p{Cc}--[\t\n\v\f\r\u0085]]/gv;
/** Characters that show nothing and only hide words or turn their order round. Joiners within words stay. */
const invisible =
  /[\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb\ufdd0-\ufdef\ufffe\uffff]/g;

/** Repairing can uncover what needs repair again; honest text settles in two passes. */
const maxPasses = 8;

/**
 * Text as people read it: NFC, on one line, without markup, control characters, invisible characters and email
 * addresses, mojibake repaired where that is certain, cut between words at `limit` code units. Cleaning what is clean
 * changes nothing.
 */
export function cleanText(text: string, limit: number, report: (change: TextChange) => void): string {
  if (text.length <= limit && plain.test(text) && !mayHoldAddress(text)) return text;
  let current = text;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const cleaned = cleanOnce(current, limit, report);
    if (cleaned === current) return cleaned;
    current = cleaned;
  }
  return cleanOnce(current.replace(/[<&@]|[^\0-\x7f]/g, ' '), limit, report);
}

function cleanOnce(text: string, limit: number, report: (change: TextChange) => void): string {
  const composed = text.toWellFormed().normalize('NFC');
  const repaired = repairMojibake(composed);
  if (repaired !== composed) report('repaired');
  const printable = repaired.replace(controls, '');
  if (printable !== repaired) report('control_characters');
  const read = stripMarkup(printable.replace(invisible, ''));
  const scrubbed = mayHoldAddress(read) ? scrubAddresses(read) : read;
  if (scrubbed !== read) report('address_removed');
  const tidy = scrubbed.replace(/[\s\u0085]+/g, ' ').trim();
  if (tidy.length <= limit) return tidy;
  report('cut');
  return cutBetweenWords(tidy, limit);
}

/** The beginning of a text, at most `limit` code units, ending with a whole word unless a word fills the limit. */
function cutBetweenWords(text: string, limit: number): string {
  const beginning = text.slice(0, limit + 1);
  const space = beginning.lastIndexOf(' ');
  if (space > limit / 2) return beginning.slice(0, space);
  const last = text.charCodeAt(limit - 1);
  const splitsPair = last >= 0xd800 && last <= 0xdbff;
  return text.slice(0, splitsPair ? limit - 1 : limit);
}
