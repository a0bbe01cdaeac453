/*
 * Prints, as JSON, the regular expressions that modules build when they are loaded. For list-patterns.ts; the arguments
 * are files below the working directory.
 */
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';

const built: { file: string; source: string; flags: string }[] = [];
const Original = RegExp;
const here = process.cwd();

globalThis.RegExp = new Proxy(Original, {
  construct(target, [source, flags]: [string, string?], newTarget) {
    // The second line of a stack is the caller's.
    const caller = /file:\/\/(\S+?):\d+:\d+/.exec(new Error('').stack?.split('\n')[2] ?? '')?.[1] ?? '';
    built.push({ file: relative(here, caller), source, flags: flags ?? '' });
    return Reflect.construct(target, [source, flags], newTarget);
  },
});

const files = process.argv.slice(2);
for (const file of files) await import(pathToFileURL(join(here, file)).href);
console.log(JSON.stringify(built.filter(({ file }) => files.includes(file))));
