import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';

const ownFiles = [
  'account.js',
  'api.js',
  'claim.js',
  'copy-button.js',
  'explorer.js',
  'export.js',
  'filters.js',
  'format.js',
  'key.js',
  'masthead.css',
  'orders.js',
  'plans.js',
  'results.js',
  'search-state.js',
];

/**
 * The files that pages load, by their paths below the service's root. Package files have the version in their path, so
 * browsers may keep them forever. Nothing else of a package is served.
 */
export function listWebFiles(): Map<string, URL> {
  return new Map([
    ...ofPackage('swagger-ui-dist', 'docs/swagger-ui', ['swagger-ui.css', 'swagger-ui-bundle.js']),
    ...ofPackage('lit-html', 'assets/lit-html', [
      'lit-html.js',
      'directive.js',
      'directive-helpers.js',
      'directives/live.js',
    ]),
    ...ownFiles.map((name): [string, URL] => [`assets/${name}`, new URL(`../web/${name}`, import.meta.url)]),
    ['favicon.ico', new URL('../web/favicon.ico', import.meta.url)],
    ['docs/reference.js', new URL('../web/reference.js', import.meta.url)],
    ['docs/reference.css', new URL('../web/reference.css', import.meta.url)],
  ]);
}

function ofPackage(name: string, path: string, files: readonly string[]): [string, URL][] {
  const manifest = findPackageJSON(name, import.meta.url);
  if (manifest === undefined) throw new Error(`The package ${name} is not installed: run npm ci.`);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  return files.map((file) => [`${path}-${version}/${file}`, new URL(file, pathToFileURL(manifest))]);
}
