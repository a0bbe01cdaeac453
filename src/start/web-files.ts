import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const ownFolder = new URL('../web/', import.meta.url);

/** The styles in this order make one file. */
const styles = ['tokens', 'base', 'parts', 'pages', 'charts', 'media'].map(
  (name) => new URL(`styles/${name}.css`, ownFolder),
);

/**
 * The files that pages load, by their path below the service's root; several URLs are sent as one file. The path has the
 * version of a package, or a hash of all our files, so browsers may keep files forever. Other files of packages are not served.
 */
export function listWebFiles(): Map<string, readonly URL[]> {
  return new Map<string, readonly URL[]>([
    ...ofPackage('preact', 'assets/preact', ['dist/preact.mjs', 'hooks/dist/hooks.mjs']),
    ...ofPackage('htm', 'assets/htm', ['dist/htm.mjs']),
    ...listOwn(),
    ['favicon.ico', [new URL('favicon.ico', ownFolder)]],
  ]);
}

function listOwn(): [string, readonly URL[]][] {
  const paths = readdirSync(ownFolder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const names = paths.filter((name) => /\.(?:js|json)$/.test(name) && name !== 'tsconfig.json').sort();
  const files: [string, readonly URL[]][] = [
    ...names.map((name): [string, readonly URL[]] => [name, [new URL(name, ownFolder)]]),
    ['masthead.css', styles],
  ];
  const digest = createHash('sha256');
  for (const [name, parts] of files) for (const part of parts) digest.update(name).update(readFileSync(part));
  const folder = `assets/masthead-${digest.digest('hex').slice(0, 12)}`;
  return files.map(([name, parts]) => [`${folder}/${name}`, parts]);
}

function ofPackage(name: string, path: string, files: readonly string[]): [string, readonly URL[]][] {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`The package ${name} is not installed: run npm ci.`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return files.map((file) => [`${path}-${version}/${file}`, [new URL(file, pathToFileURL(manifest))]]);
}
