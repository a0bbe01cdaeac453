import { Parser } from 'htmlparser2';
import { BrokenFile, type RawList, type RawRow, type RowFault } from '../row.ts';

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

const notXml: RowFault = {
  code: 'not_xml',
  reason: 'the outline is not valid XML: in values, " must be &quot; and < must be &lt;',
};

/** What is left of an outline as text, if a quote in a value ended it too early. */
const feedInText = /\bxmlUrl="([^"]*)"/;

class OutlineReader {
  readonly #parser: Parser;
  /** The elements that are open, from the outermost. */
  readonly #open: Outline[] = [];
  #rows: RawRow[] = [];
  #line = 1;
  #text = '';
  #isComplete = false;

  constructor() {
    this.#parser = new Parser(
      {
        onopentag: (name, attributes: Outline) => {
          this.#endText();
          if (name === 'outline') this.#openOutline(attributes);
        },
        ontext: (text) => {
          this.#text += text;
        },
        onclosetag: (name, isImplied) => {
          this.#endText();
          if (name === 'outline') this.#open.pop();
          if (name === 'opml' && !isImplied) this.#isComplete = true;
        },
      },
      { xmlMode: true },
    );
  }

  #openOutline(outline: Outline): void {
    if (outline.xmlUrl !== undefined) this.#addRow(outline);
    this.#open.push(outline);
  }

  #addRow(outline: Outline, fault?: RowFault): void {
    const groups = this.#open.filter(({ xmlUrl }) => xmlUrl === undefined);
    this.#rows.push({ line: this.#line, cells: rowOf(outline, groups), ...(fault && { fault }) });
  }

  /** Rejects the outline that is open, if the text has the rest of it. */
  #endText(): void {
    const feed = feedInText.exec(this.#text)?.[1];
    this.#text = '';
    if (feed === undefined) return;
    const { title, text } = this.#open.pop() ?? {};
    this.#addRow({ ...(title && { title }), ...(text && { text }), xmlUrl: feed }, notXml);
  }

  /** The rows that end in the next piece of the text. */
  read(text: string): RawRow[] {
    // Line by line, so that a row has the number of its line. A whole list may be one line, longer than splitLines takes.
    for (const line of text.split(/(?<=\n)/)) {
      this.#parser.write(line);
      this.#endText();
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
