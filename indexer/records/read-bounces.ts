import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { nameKey } from '#text/fold.ts';
import { holdsEmail, most } from '../importing/columns/guess-field.ts';
import { RefusedFile } from '../importing/row.ts';

/** What a campaign tool says of an address. */
export type Delivery = 'hard' | 'soft' | 'delivered' | 'unsubscribed';

/** An address with what became of mail to it; or why the row cannot be read. */
export type BounceRow = { email: string; delivery: Delivery } | { fault: 'no_address' | 'no_status' };

/** Headings whose cells say what became of mail, as Mailchimp, Instantly, Smartlead, lemlist and Brevo write them. */
const statusHeading =
  /status|state$|\bevents?\b|^type$|bounce|\breason\b|\bresult\b|unsub|\bclean|opt(?:ed)? out|do not (?:contact|e?mail)|deliver|\berror\b|\bmessage\b|description|last state/;
const addressHeading =
  /^(?:recipient|contact|lead|subscriber|to|work|business)? ?(?:e ?mail)(?: address)?$|^recipient$|^address$|^to$/;

/** The surest first: a reason tells a soft bounce where the status only says that it bounced. */
const deliveries: readonly [Delivery, RegExp][] = [
  [
    'unsubscribed',
    /wants no mail|unsub|opt(?:ed)?[ -]?out|do not (?:contact|e?mail)|complain|spam report|abuse report/i,
  ],
  ['hard', /\bhard|permanent|invalid|undeliver|\bclean|blacklisted address/i],
  [
    'soft',
    /\bsoft|transient|temporar|deferr|mailbox (?:is )?full|over quota|quota exceeded|greylist|\b4\.\d{1,3}\.\d{1,3}\b|\b4[25]\d\b/i,
  ],
  ['hard', /bounc|\b5\.\d{1,3}\.\d{1,3}\b|\b55\d\b|user unknown|unknown user|no such|does not exist|not found/i],
  [
    'delivered',
    /deliver|sent|open|click|repl|active|subscribed|complet|progress|contacted|interest|valid|ok\b|accepted|paused|start/i,
  ],
];

/** Finds the columns of a file of bounces by their headings and values. */
export class BounceReader {
  readonly #email: number;
  readonly #statuses: readonly number[];
  readonly #headings: readonly string[];

  /** @throws RefusedFile without a column of addresses, or one that says what became of mail */
  constructor(headings: readonly string[], rows: readonly (readonly string[])[]) {
    const keys = headings.map((heading) => nameKey(heading));
    const cellsOf = (column: number) => rows.map((cells) => cells[column] ?? '').filter((cell) => cell !== '');
    const address = keys.findIndex((key, column) => addressHeading.test(key) && cellsOf(column).some(holdsEmail));
    this.#email = address >= 0 ? address : keys.findIndex((_, column) => most(cellsOf(column), holdsEmail));
    const otherColumns = [...keys.keys()].filter((column) => column !== this.#email);
    const named = otherColumns.filter((column) => statusHeading.test(keys[column] ?? ''));
    // Under a heading of another language, the cells say it: `Ereignis`, `hard_bounce`.
    const says = (cell: string) => deliveries.some(([, pattern]) => pattern.test(cell));
    this.#statuses = named.length > 0 ? named : otherColumns.filter((column) => most(cellsOf(column), says));
    this.#headings = headings;
    if (this.#email < 0) throw new RefusedFile('no_addresses', 'has no column of email addresses, such as Email');
    if (this.#statuses.length > 0) return;
    throw new RefusedFile(
      'no_status',
      'has no column that says what became of mail, such as Status, Event or Bounce type',
    );
  }

  read(cells: readonly string[]): BounceRow {
    const email = normalizeEmail(cells[this.#email] ?? '');
    if ('fault' in email) return { fault: 'no_address' };
    const words = this.#statuses
      .map((column) => this.#wordsOf(column, cells[column] ?? ''))
      .filter((text) => text !== '');
    const [delivery] = deliveries.find(([, pattern]) => words.some((text) => pattern.test(text))) ?? [];
    return delivery === undefined ? { fault: 'no_status' } : { email: email.email, delivery };
  }

  /** `true` or a time in a column `Unsubscribed` or `CLEAN_TIME` says what the heading says; `false` says nothing. */
  #wordsOf(column: number, cell: string): string {
    const text = cell.trim();
    if (text === '' || /^(?:false|no|0)$/i.test(text))
      return /bounce|unsub|clean|\bopt|do not/i.test(this.#headings[column] ?? '') ? 'active' : '';
    const isFlag = /^(?:true|yes|x|[1-9]\d*)$/i.test(text) || /^\d{4}-\d\d-\d\d/.test(text);
    return isFlag ? (this.#headings[column] ?? '').replaceAll('_', ' ') : text;
  }
}
