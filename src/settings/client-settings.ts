import { z } from 'zod';
import { httpUrl, type Setting } from './setting.ts';

/** The settings of programs that use a running service from outside. */
export const clientSettings = {
  MASTHEAD_URL: {
    default: 'http://127.0.0.1:3000',
    doc: 'Base URL of the service to use.',
    schema: httpUrl('an http(s) URL, such as https://api.example.org'),
  },
  MASTHEAD_API_KEY: {
    doc: 'API key to use it with. Default: none, so emails are masked.',
    secret: true,
    schema: z.string().regex(/^[\x21-\x7e]{1,200}$/, 'an API key, such as mh_…'),
  },
} as const satisfies Record<string, Setting>;
