import { customColumns } from '#outbound/outbound-lead.ts';
import { instantly } from './instantly.ts';
import { smartlead } from './smartlead.ts';
import type { ToolDefinition } from './tool-definition.ts';

/** lemlist. Its headings are in camel case, and it accepts only files. */
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

/** THE OUTBOUND TOOLS. Settings, export formats, pushes, the API reference and the explorer are read from here. */
export const leadTools: readonly ToolDefinition[] = [instantly, smartlead, lemlist];
