import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const ownFolder = new URL('../web/', import.meta.url);

/** The styles in their order: pages load them as one. */
const styles = ['tokens', 'base', 'parts', 'pages', 'charts', 'media'].map(
  (name) => new URL(`styles/${name}.css`, ownFolder),
);

/**
 * What pages load, by its path below the service's root: a file, or several one after the other. Package files have the version
 * in their path, our own a hash of all of them, so browsers may keep them forever. Nothing else of a package is served.
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
  const all = readdirSync(ownFolder, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/'));
  const names = all.filter((name) => /\.(?:js|json)$/.test(name) && name !== 'tsconfig.json').sort();
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
