import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';

// Writes the types of the TypeScript client, which are not committed. scripts/setup.mjs runs this if the digest in their first
// line is not that of docs/openapi.json; `npm run clients` does in any case.

const document = await readFile(new URL('../docs/openapi.json', import.meta.url));
const types = await openapiTS(document.toString());
const heading = `// ${hash('sha256', document)} of docs/openapi.json. Generated: do not edit.\n\n`;
await writeFile(new URL('typescript/src/openapi.ts', import.meta.url), heading + astToString(types));
