import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path/posix';

/** Imports begin a line, or end one that begins with their bracket: those in a text of a module do not count. */
const imported = /^(?:import|\})[^'"\n]*from\s*["']([^"']+)["']/gm;

/**
 * The modules that a page runs, its own first: what it imports, directly and not, by the paths of the web files. Browsers
 * then request all of them at once. `importMap`: the paths of packages by their names.
 */
export function listModules(
  entry: string,
  webFiles: ReadonlyMap<string, URL>,
  importMap: Readonly<Record<string, string>>,
): string[] {
  const found = new Set([entry]);
  for (const path of found) {
    const file = webFiles.get(path);
    if (file === undefined) throw new Error(`${path} is imported by a page, but not served: see web-files.ts.`);
    for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
      found.add(importMap[specifier] ?? normalize(join(dirname(path), specifier)));
    }
  }
  return [...found];
}
