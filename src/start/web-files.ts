import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const ownFolder = new URL('../web/', import.meta.url);

/**
 * The files that pages load, by their paths below the service's root. Package files have the version in their path, so
 * browsers may keep them forever. Nothing else of a package is served.
 */
export function listWebFiles(): Map<string, URL> {
  return new Map([
    ...ofPackage('preact', 'assets/preact', ['dist/preact.mjs', 'hooks/dist/hooks.mjs']),
    ...ofPackage('preact-iso', 'assets/preact-iso', ['src/lazy.js']),
    ...ofPackage('htm', 'assets/htm', ['dist/htm.mjs']),
    ...listOwn().map((name): [string, URL] => [`assets/${name}`, new URL(name, ownFolder)]),
    ['favicon.ico', new URL('../web/favicon.ico', import.meta.url)],
  ]);
}

/** The modules, styles and data of the pages, below their folder. */
function listOwn(): string[] {
  const names = readdirSync(ownFolder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  return names.filter((name) => /\.(?:js|json|css)$/.test(name) && name !== 'tsconfig.json').sort();
}

function ofPackage(name: string, path: string, files: readonly string[]): [string, URL][] {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`The package ${name} is not installed: run npm ci.`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return files.map((file) => [`${path}-${version}/${file}`, new URL(file, pathToFileURL(manifest))]);
}
