import { wordsOfUse } from '#languages/words.ts';
import { findLanguage } from '#records/places/languages.ts';
import { nameKey } from '#text/fold.ts';
import { firstOfRepeated } from '../row.ts';

/* The headings of lists of people, in the form of headingKey. */

/** Shorter names of languages are words of headings, too: `No`. */
const minLengthLanguage = 4;

/** A heading folded, without the language of its values and a `1`: `name_english` is `name`, and so is `Name 1`. */
export function headingKey(heading: string): string {
  const words = nameKey(firstOfRepeated(heading)).split(' ');
  const isLanguage = (word: string) => word.length >= minLengthLanguage && findLanguage(word) !== null;
  return words.filter((word) => words.length === 1 || (word !== '1' && !isLanguage(word))).join(' ');
}

/** Headings that name a medium, whatever is beside them, the plainest first. */
export const plainMediumHeadings: ReadonlySet<string> = new Set(
  'outlet, outlet name, media outlet, media outlet name, publication, publication name, name of publication, podcast, podcast name, newsletter, newsletter name, newspaper, magazine, station name, media name, news outlet, news organization, primary outlet, main outlet, outlets, publications'.split(
    ', ',
  ),
);
/** Their values may also be owners or kinds of the media that `Name` has. */
const owningHeadings =
  'station, media, medium, show, program, programme, organization name, organisation name, organization, organisation, org, company name, company, associated company, primary associated company, account name, employer, current employer, affiliation, agency, site, publisher'.split(
    ', ',
  );
const owningElsewhere = wordsOfUse('heading.owner').map(headingKey);
export const mayOwnMedia: ReadonlySet<string> = new Set([...owningHeadings, ...owningElsewhere]);
/** Headings that name a medium beside a column of people, the plainest first. */
export const mediumHeadings = [...plainMediumHeadings, ...owningHeadings, ...owningElsewhere];
/** Headings that may name a person or a medium: what is beside them decides. */
export const vague: ReadonlySet<string> = new Set(wordsOfUse('heading.vague').map(headingKey));
const personWords =
  'contact, journalist, reporter, editor, author, host, presenter, person, creator, producer, influencer, writer, correspondent, columnist, staff'.split(
    ', ',
  );
const person = new RegExp(`^(?:${personWords.join('|')})s?$`);
const besidePerson = new Set(
  'name names full of the or and main primary press media desk desks department team'.split(' '),
);

/** Whether a heading, in the form of headingKey, says that a column names people, maybe among desks: `Reporter/Desk`, `Desk name`. */
export function namesPeople(heading: string): boolean {
  if (heading === 'display name' || heading === 'full name') return true;
  const words = heading.split(' ');
  const otherWords = words.filter((word) => !person.test(word));
  if (!otherWords.every((word) => besidePerson.has(word))) return false;
  return otherWords.length < words.length || (words.includes('name') && words.includes('desk'));
}
/** People who are not at the medium: `Guest`, `Assigned to`. */
export const strangers = /\b(?:guests?|speakers?|by|to|our)\b|^(?:account |list |relationship )?manager\b/;
export const titles =
  /^(?:job )?(?:title|position|role|function|job)$|^(?:organi[sz]ation|company|contact|job) (?:title|role|position)$/;
export const beats =
  /^(?:main |primary |secondary |coverage )?(?:beats?|subjects?|topics?|coverage|focus)(?: areas?| covered)?$|^(?:areas? of )?(?:coverage|expertise|interests?)$|^covers$/;
/** Headings of beats in other languages: `Ressort`. */
export const beatsElsewhere: ReadonlySet<string> = new Set(wordsOfUse('heading.beats').map(headingKey));
export const firstEmail =
  /^(?:business |work |primary |main )?e ?mail(?: address)?(?: (?:1|work|business))?(?: (?:value|address))?(?: or (?:handle|twitter|x|phone|form))?$/;
export const homePage =
  /^(?:(?:outlet|company|publication|media|organi[sz]ation|media outlet) )?(?:web ?(?:site|page)|site|url|homepage|domain|link)(?: 1)?(?: (?:url|value|link))?$/;
export const furtherEmail =
  /^e ?mail(?: address)? [2-9](?: (?:value|address))?$|^(?:2nd|second|secondary|other|alternat\w+|additional|personal|private|home) e ?mail(?: address)?$/;
export const firstPhone =
  /^(?:contact )?(?:phone|telephone|tel)(?: (?:number|no))?(?: (?:1|work|business))?(?: value)?$/;
export const furtherPhone =
  /^(?:phone|telephone|tel)(?: number)? (?:[2-9]|mobile|cell|home|direct)(?: value)?$|^(?:work )?(?:direct|mobile|cell|cellular|whats ?app|office|work|business|company|corporate|home|personal|second|secondary|other|switchboard|desk|land ?line)(?: ?(?:direct|line|phone|telephone|number|no))*(?: [12])?$/;
export const profiles =
  /^(?:(?:muck ?rack|journalist|author|social|online|public|bio|profile|staff|portfolio|roxhill|contact|person) ?)+(?:profiles?|page|url|link|links|account)s?(?: url| link)?$|^profiles?$|^muck ?rack(?: (?:url|link|profile))?$|^links$/;
/** With such a column, `Name` has people. */
export const idOfJournalist = /^(?:journalist|reporter|influencer) id$/;
export const idOfPerson = /^(?:contact|person|journalist|people|influencer|author|reporter) id$/;
/** Ids of people or of media. */
export const vagueId = /^record id$|^id$|^uid$|^identifier$/;
