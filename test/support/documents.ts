import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A block of code in a document. */
interface CodeBlock {
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

const recipes = new URL('../../docs/recipes.md', import.meta.url);

/** How a comment begins, by language. */
const comments: Record<string, string> = { sh: '# ', ts: '// ', python: '# ' };

/**
 * Writes the recipes of a language to a folder. The first line of each block names its file, such as `# sync.sh` or
 * `// sync.ts`. Returns the names.
 */
export async function writeRecipes(language: 'sh' | 'ts' | 'python', folder: string): Promise<string[]> {
  const names: string[] = [];
  for (const { code } of (await readCodeBlocks(recipes)).filter((block) => block.language === language)) {
    const first = code.replace(/^#!.*\n/, '').split('\n', 1)[0] ?? '';
    const name = first.slice(comments[language]?.length).split(':', 1)[0] ?? '';
    if (!/^[a-z_]+\.(sh|ts|py)$/.test(name)) continue;
    await writeFile(join(folder, name), code, { mode: 0o755 });
    names.push(name);
  }
  return names;
}
