import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

// `npm version` repeats it there (scripts/set-version.mjs).
it.each([
  ['Dockerfile', `org.opencontainers.image.version=${manifest.version}\n`],
  ['clients/typescript/package.json', `"version": "${manifest.version}"`],
  ['clients/typescript/README.md', `masthead-client-${manifest.version}.tgz`],
  ['docs/openapi.json', `"version": "${manifest.version}"`],
  ['CHANGELOG.md', `\n## ${manifest.version}\n`],
  ['docs/api-versions.md', `\n## ${manifest.version}\n`],
])('%s has the version of package.json', (path, text) => {
  expect(read(path)).toContain(text);
});
