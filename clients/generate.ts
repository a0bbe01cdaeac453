import { writeFile } from 'node:fs/promises';
import { generateTypes, typesPath } from './generate-types.ts';

// Rewrites what the TypeScript client has from docs/openapi.json.

await writeFile(typesPath, await generateTypes());
console.log('clients/typescript/src/openapi.ts is up to date.');
