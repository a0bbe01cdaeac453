import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const require = createRequire(import.meta.url);

/**
 * The files that the pages load, by their paths below the service's root. Those of packages have the version in their
 * path, so that browsers may keep them for good. Nothing else of a package is served.
 */
export function listWebFiles(): Map<string, URL> {
  return new Map([
    ...ofPackage('swagger-ui-dist', 'docs/swagger-ui', ['swagger-ui.css', 'swagger-ui-bundle.js']),
    ['docs/reference.js', new URL('./web/reference.js', import.meta.url)],
    ['docs/reference.css', new URL('./web/reference.css', import.meta.url)],
  ]);
}

function ofPackage(name: string, path: string, files: readonly string[]): [string, URL][] {
  const manifest = require.resolve(`${name}/package.json`);
  const { version } = require(manifest);
  return files.map((file) => [`${path}-${version}/${file}`, new URL(file, pathToFileURL(manifest))]);
}
