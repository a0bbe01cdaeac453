import { StringDecoder } from 'node:string_decoder';
import { Parser } from 'htmlparser2';
import { BrokenFile } from './row.ts';

/** What is done with the parts of a document. Names are without their namespace prefix. */
export interface XmlHandler {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Levels of elements in one another; a workbook has fewer than ten. The parser's time grows with their square. */
const maxLevels = 100;

/**
 * Parses XML in UTF-8 piece by piece. Yields after each piece, so the caller can pass on what the handler gathered.
 * Entities of a document type are not expanded.
 *
 * @throws BrokenFile if elements are nested too deeply, or if the document ends inside one
 */
export async function* parseXml(chunks: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const decoder = new StringDecoder('utf8');
  let level = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        level += 1;
        if (level > maxLevels) throw new BrokenFile(`has XML of more than ${maxLevels} levels, as no workbook has`);
        handler.open?.(withoutPrefix(name), attributes);
      },
      ontext: (text) => handler.text?.(text),
      onclosetag(name) {
        level -= 1;
        handler.close?.(withoutPrefix(name));
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  for await (const chunk of chunks) {
    parser.write(decoder.write(chunk));
    yield;
  }
  // The parser would close what is open, as if half a value were one.
  if (level > 0) throw new BrokenFile('is a damaged workbook: it ends inside an element');
  parser.end(decoder.end());
  yield;
}

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
