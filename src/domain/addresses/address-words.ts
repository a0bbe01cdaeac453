import { viewAddresses } from './address-view.ts';

/** The words of a list; `_` is a space. */
const listed = (words: string) => words.split(/\s+/).flatMap((word) => (word === '' ? [] : word.replaceAll('_', ' ')));
/** Words as they appear in an address view. */
export const seen = (words: readonly string[]) => words.map((word) => viewAddresses(word).text);
/** A pattern that matches any of them. */
export const either = (words: readonly string[]) => seen(words).join('|');

/** Names of the @ in many languages; those with a common start sorted longest first. */
export const namesOfSign = listed(`
  at_sign at-sign atsign commat at arrobas arroba aroba arobase arobas chiocciola klammeraffe affenschwanz snabel-a snabela
  alfakrøll apenstaartje apestaartje kukac zavináč zavinac małpa malpa miukumauku παπάκι papaki собачка собака sobaka`);
/** The same for scripts without spaces, where they may touch a letter. */
export const spacelessNamesOfSign = listed('アットマーク アット 골뱅이 艾特');
/** Stands for the @ only in brackets: `jane(a)example.org`. */
export const bracketedNamesOfSign = listed('at ad a et');

/** Names of the full stop in an address. */
export const namesOfDot = listed(`
  dot punkt punkte point punto ponto punt kropka tečka tecka bodka pont piste prikk prik nokta τελεία точка тчк`);
export const spacelessNamesOfDot = listed('ドット 点 點 점');

/**
 * Words before "at" and a host that point to a page ("look at example.org") and are not mailboxes. Common mailboxes
 * (contact, editor, info, news, press …) are not in the list.
 */
const waysToPages = new Set(
  listed(`
    i me my mine myself you your yours yourself he him his himself she her hers herself it its itself we us our ours ourselves
    they them their theirs themselves this that these those who whom whose which what where when why how
    here there anywhere everywhere somewhere elsewhere nowhere now then today tonight tomorrow yesterday always never ever
    often sometimes usually still already soon later once twice again daily weekly monthly yearly annually regularly
    a an the all any both each either every few more most much many neither none one other others own same several some such
    and or but nor so yet if as because while than though although until unless whether not no yes
    also too very just only even almost rather quite well directly exclusively entirely freely easily quickly simply mainly
    primarily mostly largely currently formerly previously originally recently exactly
    about above across after against along among around before behind below beneath beside between beyond by down during
    except for from in inside into near of off on onto out outside over past through to toward towards under up upon with
    within without away back forward home together apart alone first last next best better good great free
    am is are was were be been being isn't aren't wasn't has have had having do does did done doing can could may might must
    shall should will would
    accessible active archived available based featured found headquartered hosted housed listed located online offline open
    opened closed posted powered published registered updated live
    aim aimed aiming appear appeared appearing appears apply applied applying arrive arrived arriving ask asked asking attend
    attended begin began begins begun beginning blog blogs blogged blogging book booked books broadcast broadcasting
    broadcasts browse browsed browsing built buy buying bought call called calling came catch check checked checking checkout
    chat chatting click clicked collected come comes coming compiled comment commented connect connected consult covered
    create created creating debut debuted describe described discover discovered discuss discussed displayed donate donated
    download downloaded downloading downloads drop edited educated employed engage enjoy enjoyed enroll enrolled enter
    episode episodes examine explained explore explored exploring find finding finds follow followed following follows
    founded gather gathered gave get gets getting give given go goes going gone got graduated hang happen happened happening
    happens head hear heard hearing held hired hold host hosts hosting interviewed join joined joining joins keep kept know
    known land landed launch launched launching learn learned learning learnt like list listen listened listening listens
    live lived lives living log logged login look looked looking looks made maintained make meet meeting meets met moderated
    named note offered operate operated order ordered ordering peek perform performed play played playing plays preview
    present presented presenting print printed produced produce produces provided publish publishes publishing purchase
    purchased ran read reading reads recorded register registering released remain reported research review reviewed run
    running runs saw search searched searching see seeing seen sees sell selling sells share shared shop shopped shopping
    show showcased shown shows sign signed signup sit sits sold speak speaking spoke spoken stand start started starting
    starts stay stayed staying stays stop stopped stored stream streamed streaming streams studied studies study studying
    subscribe subscribed subscribes subscribing taken talk talked talking talks taught teach teaches teaching tested trained
    try tune tuned use used using view viewable viewed viewing visit visited visiting visits voted wait waiting watch watched
    watches watching work worked working works write writes writing written wrote
    address addresses app apps article articles column columns content contents detail details domain domains edition
    editions homepage information itunes link links material materials online page pages part place platform portal post posts
    profile profiles resource resources schedule section site sites story stories store transcript transcripts url urls
    version versions video videos web webpage webpages website websites
    bluesky facebook handle instagram linkedin mastodon social telegram threads tiktok twitter whatsapp wikipedia youtube
    am pm noon midnight o'clock`),
);

/** Whether a word before "at" and a host points to a page. So do small numbers (an age, a rank, a time). */
export function leadsToPage(word: string): boolean {
  return waysToPages.has(word.toLowerCase()) || /^\d{1,4}$/.test(word);
}

const positions = new Set(
  listed(`
    analyst anchor announcer associate author blogger broadcaster cartoonist ceo cfo chair chairman chief cio columnist
    commentator contributor coo coordinator correspondent creator critic cto curator designer developer director editor
    engineer executive fellow founder freelancer head host instructor intern journalist lecturer librarian manager member
    moderator newscaster officer owner partner photographer podcaster presenter president producer professor publisher
    reporter researcher reviewer scientist specialist strategist student teacher videographer writer`),
);

/** Whether the word is a job title: "Senior Editor at Example.com". In lower case it is a mailbox. */
export function isPosition(word: string): boolean {
  const isTitle = /^(?:[A-Z][a-z]+|C[EFIOT]O)$/.test(word) || /^Co-?[Ff]ounder$/.test(word);
  return isTitle && (positions.has(word.toLowerCase()) || /founder$/i.test(word));
}

const determiners = new Set(
  listed(`
    the a an our your my his her its their this that these those each every all any more most latest newest current
    complete full entire official own other new same`),
);

/** Whether a word precedes a noun, which then is a thing and not a mailbox: "the latest news at example.org". */
export function isDeterminer(word: string): boolean {
  return determiners.has(word.toLowerCase());
}

/** Asks the reader to write to somebody. */
export const asksToWrite =
  /(?:^|[^a-z])(?:e-?mails?|mails?|mailto|write|contact|send|reach|message|drop|address)(?![a-z])/i;
