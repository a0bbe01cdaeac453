import { readFile } from 'node:fs/promises';
import openapiTS, { astToString } from 'openapi-typescript';
import { narrowInputs } from './narrow-inputs.ts';

const documentPath = new URL('../docs/openapi.json', import.meta.url);

/** Where the types of the TypeScript client are. */
export const typesPath = new URL('typescript/src/openapi.ts', import.meta.url);

const heading = '// Generated from docs/openapi.json by `npm run clients`. Do not edit.\n\n';

/** The types of everything in docs/openapi.json, as TypeScript. */
export async function generateTypes(): Promise<string> {
  const document = narrowInputs(JSON.parse(await readFile(documentPath, 'utf8')));
  const types = await openapiTS(JSON.stringify(document));
  return heading + astToString(types);
}
