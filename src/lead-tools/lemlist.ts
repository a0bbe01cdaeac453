import { customColumns } from '#outbound/outbound-lead.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** lemlist. Its headings are in camel case, and it accepts only files. */
export const lemlist: ToolDefinition = {
  name: 'lemlist',
  title: 'lemlist',
  columns: [
    ['email', 'email'],
    ['firstName', 'firstName'],
    ['lastName', 'lastName'],
    ['picture', null],
    ['phone', 'phone'],
    ['linkedinUrl', 'linkedinUrl'],
    ['companyName', 'companyName'],
    ['companyDomain', 'domain'],
    ['icebreaker', null],
    ['jobTitle', 'jobTitle'],
    ['website', 'website'],
    ...customColumns.map(([heading, key]) => [toCamelCase(heading), key] as const),
  ],
  push: null,
};

function toCamelCase(heading: string): string {
  return heading.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
