export type { Api, MastheadOptions } from './connect.ts';
export { createMasthead, type Masthead } from './create-masthead.ts';
export type { ExportFile } from './export-file.ts';
export { type ClientCode, MastheadError } from './masthead-error.ts';
export type { components, operations, paths } from './openapi.ts';
export type { RetryOptions } from './retrying-fetch.ts';
export type * from './types.ts';
