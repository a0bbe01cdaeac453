// `npm version` runs this once it has set the version in package.json: it repeats the version where another tool reads it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(fileURLToPath(import.meta.url), '../..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const { version } = JSON.parse(read('package.json'));

const places = {
  Dockerfile: /(?<=org\.opencontainers\.image\.version=)\S+/,
  'clients/typescript/package.json': /(?<="version": ")[^"]+/,
  'clients/typescript/README.md': /(?<=masthead-client-)\d+\.\d+\.\d+/,
};
for (const [path, place] of Object.entries(places)) writeFileSync(join(root, path), read(path).replace(place, version));
