import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const ownFolder = new URL('../web/', import.meta.url);

/**
 * The files that pages load, by their paths below the service's root. Package files have the version in their path, our own
 * a hash of all of them, so browsers may keep them forever. Nothing else of a package is served.
 */
export function listWebFiles(): Map<string, URL> {
  return new Map([
    ...ofPackage('preact', 'assets/preact', ['dist/preact.mjs', 'hooks/dist/hooks.mjs']),
    ...ofPackage('htm', 'assets/htm', ['dist/htm.mjs']),
    ...listOwn(),
    ['favicon.ico', new URL('../web/favicon.ico', import.meta.url)],
  ]);
}

/** The modules, styles and data of the pages, below their folder. */
function listOwn(): [string, URL][] {
  const all = readdirSync(ownFolder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const names = all.filter((name) => /\.(?:js|json|css)$/.test(name) && name !== 'tsconfig.json').sort();
  const files = names.map((name): [string, URL] => [name, new URL(name, ownFolder)]);
  const digest = createHash('sha256');
  for (const [name, file] of files) digest.update(name).update(readFileSync(file));
  const folder = `assets/masthead-${digest.digest('hex').slice(0, 12)}`;
  return files.map(([name, file]) => [`${folder}/${name}`, file]);
}

function ofPackage(name: string, path: string, files: readonly string[]): [string, URL][] {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`The package ${name} is not installed: run npm ci.`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return files.map((file) => [`${path}-${version}/${file}`, new URL(file, pathToFileURL(manifest))]);
}
