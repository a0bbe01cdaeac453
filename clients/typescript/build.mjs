import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Compiles the package twice, as ES modules and as CommonJS. The files of openapi-fetch (MIT) go into it, so that it needs no
 * other package.
 */
const root = import.meta.dirname;
const packageFolder = (name) => dirname(dirname(fileURLToPath(import.meta.resolve(name))));
const fetcher = packageFolder('openapi-fetch');
const helpers = packageFolder('openapi-typescript-helpers');

const commonJs = ['--module', 'commonjs', '--moduleResolution', 'node10', '--verbatimModuleSyntax', 'false'];
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
const builds = [
  { folder: join(root, 'dist'), options: [], script: 'mjs', types: 'd.mts' },
  { folder: join(root, 'dist/cjs'), options: commonJs, script: 'cjs', types: 'd.cts' },
];

rmSync(join(root, 'dist'), { recursive: true, force: true });
for (const { folder, options, script, types } of builds) {
  const args = ['-p', join(root, 'tsconfig.build.json'), '--outDir', folder, ...options];
  execFileSync(process.execPath, [compiler, ...args], { stdio: ['ignore', 2, 2] });
  cpSync(`${fetcher}/dist/index.${script}`, join(folder, 'openapi-fetch.js'));
  cpSync(`${fetcher}/dist/index.${types}`, join(folder, 'openapi-fetch.d.ts'));
  cpSync(`${helpers}/dist/index.${types}`, join(folder, 'openapi-typescript-helpers.d.ts'));
  for (const name of ['connect.js', 'connect.d.ts', 'openapi-fetch.js', 'openapi-fetch.d.ts']) {
    const text = readFileSync(join(folder, name), 'utf8').replace(/^\/\/# sourceMappingURL=.*\n?/m, '');
    writeFileSync(join(folder, name), text.replace(/(['"])(openapi-(?:fetch|typescript-helpers))\1/g, '$1./$2.js$1'));
  }
}
writeFileSync(join(root, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
cpSync(join(fetcher, 'LICENSE'), join(root, 'dist/openapi-fetch.LICENSE'));
