import { Parser } from 'htmlparser2';
import { BrokenFile, type RawList, type RawRow } from './row.ts';

/** A group of feeds, or a feed: an element `<outline>`. */
type Outline = Readonly<Record<string, string>>;

/**
 * The feeds of an OPML list, which feed readers and podcast apps export. A row has its attributes under usual headings, and the names
 * of the groups that it is in as tags.
 */
export function openOpml(texts: AsyncIterable<string>): RawList {
  return { format: 'opml', headings: null, rows: rowsOfOutlines(texts) };
}

async function* rowsOfOutlines(texts: AsyncIterable<string>): AsyncGenerator<RawRow[]> {
  const reader = new OutlineReader();
  for await (const text of texts) yield reader.read(text);
  yield reader.end();
}

class OutlineReader {
  readonly #parser: Parser;
  /** The elements that are open, from the outermost. */
  readonly #open: Outline[] = [];
  #rows: RawRow[] = [];
  #line = 1;
  #isComplete = false;

  constructor() {
    const onopentag = (name: string, attributes: Outline) => {
      if (name !== 'outline') return;
      if (attributes.xmlUrl !== undefined) this.#rows.push({ line: this.#line, cells: rowOf(attributes, this.#open) });
      this.#open.push(attributes);
    };
    const onclosetag = (name: string, isImplied: boolean) => {
      if (name === 'outline') this.#open.pop();
      if (name === 'opml' && !isImplied) this.#isComplete = true;
    };
    this.#parser = new Parser({ onopentag, onclosetag }, { xmlMode: true });
  }

  /** The rows that end in the next piece of the text. */
  read(text: string): RawRow[] {
    // Line by line, so that a row has the number of its line. A whole list may be one line, longer than splitLines takes.
    for (const line of text.split(/(?<=\n)/)) {
      this.#parser.write(line);
      if (line.endsWith('\n')) this.#line += 1;
    }
    return this.#takeRows();
  }

  /** @throws BrokenFile if the list was cut off */
  end(): RawRow[] {
    this.#parser.end();
    if (!this.#isComplete) throw new BrokenFile('ends before </opml>, so it was cut off');
    return this.#takeRows();
  }

  #takeRows(): RawRow[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }
}

function rowOf({ title, text, xmlUrl, htmlUrl, description, language }: Outline, groups: readonly Outline[]) {
  const name = title || text;
  return {
    name,
    feed_url: xmlUrl,
    // Some readers write the feed, or the name, where others write the page or a description.
    url: htmlUrl === xmlUrl ? undefined : htmlUrl,
    description: description === name ? undefined : description,
    language,
    tags: groups.map((group) => group.title || group.text).filter(Boolean),
  };
}
