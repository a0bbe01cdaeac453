import { readFile } from 'node:fs/promises';

/** A block of code in a document. */
export interface CodeBlock {
  /** The text of the nearest heading above it. */
  heading: string;
  /** What follows the opening fence, such as `ts` or `python`. */
  language: string;
  code: string;
}

/** Every fenced block of a Markdown file, in its order. */
export async function readCodeBlocks(path: string | URL): Promise<CodeBlock[]> {
  const blocks: CodeBlock[] = [];
  let heading = '';
  let open: CodeBlock | null = null;
  for (const line of (await readFile(path, 'utf8')).split('\n')) {
    if (open !== null) {
      if (line === '```') open = null;
      else open.code += `${line}\n`;
    } else if (line.startsWith('```')) {
      open = { heading, language: line.slice(3), code: '' };
      blocks.push(open);
    } else if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
  }
  return blocks;
}
