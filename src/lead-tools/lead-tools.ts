import { customColumns } from '#outbound/outbound-lead.ts';
import { instantly } from './instantly.ts';
import { smartlead } from './smartlead.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** Its headings are in camel case. It can only import files, so there is no push. */
const lemlist: ToolDefinition = {
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
    ...customColumns.map(
      ([heading, key]) => [heading.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()), key] as const,
    ),
  ],
  push: null,
};

/** All outbound tools. Settings, export formats, pushes, the API reference and the explorer are derived from this list. */
export const leadTools: readonly ToolDefinition[] = [instantly, smartlead, lemlist];
