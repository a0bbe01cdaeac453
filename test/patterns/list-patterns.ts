import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAst } from 'vitest/node';

export interface Pattern {
  file: string;
  source: string;
  flags: string;
}

const root = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The source files of the service and the indexer, below the root. */
export function listSources(): string[] {
  const files = globSync(['src/**/*.ts', 'indexer/**/*.ts', 'admin/**/*.ts', 'src/web/**/*.js'], { cwd: root });
  return files.filter((file) => !file.endsWith('.d.ts')).sort();
}

/** Every regular expression of these files: those that are written down, and those that a module builds when it loads. */
export async function listPatterns(files: readonly string[]): Promise<Pattern[]> {
  const written: Pattern[] = [];
  const building: string[] = [];
  for (const file of files) {
    for (const node of walk(parseAst(readText(file), { lang: file.endsWith('.ts') ? 'ts' : 'js' }))) {
      if (node.type === 'Literal' && 'regex' in node) written.push({ file, ...readLiteral(node.regex) });
      if (isBuilt(node) && !building.includes(file)) building.push(file);
    }
  }
  return [...written, ...(await listBuilt(building))];
}

/** The text of a file. */
export function readText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** The parts of a syntax tree that matter here. */
type Node = { type: string } & Record<string, unknown>;

function walk(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(walk);
  if (typeof value !== 'object' || value === null) return [];
  const below = Object.entries(value).flatMap(([key, child]) => (key === 'regex' ? [] : walk(child)));
  return 'type' in value ? [value as Node, ...below] : below;
}

function readLiteral(regex: unknown): Pick<Pattern, 'source' | 'flags'> {
  const { pattern, flags } = regex as { pattern: string; flags: string };
  return { source: pattern, flags };
}

/** `new RegExp(…)`, `RegExp(…)` */
function isBuilt(node: Node): boolean {
  return (node.callee as { name?: string } | undefined)?.name === 'RegExp';
}

/** Loads modules in a separate process, which records the patterns they build. */
async function listBuilt(files: readonly string[]): Promise<Pattern[]> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'print-built-patterns.ts'), ...files], {
    cwd: root,
  });
  const built = JSON.parse(stdout) as Pattern[];
  for (const file of files) {
    if (!built.some((pattern) => pattern.file === file)) throw new Error(`${file} builds no pattern when it is loaded`);
  }
  return built;
}
