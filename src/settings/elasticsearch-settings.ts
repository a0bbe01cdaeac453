import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { trimEnd } from '#text/fold.ts';
import { parseHttpUrl, type Setting } from './setting.ts';

const nodesExpected =
  'one or more http(s) URLs separated by commas, such as https://es1.example.org:9200,https://es2.example.org:9200';

const nodeUrls = z.string().transform((text, context) => {
  const nodes = text.split(',').map((node) => parseHttpUrl(node.trim()));
  if (nodes.some((node) => node === null)) context.addIssue(nodesExpected);
  else if (nodes.some((node) => node?.username || node?.password)) {
    context.addIssue('without a user and password. Set ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD');
  } else return nodes.map((node) => trimEnd(node?.href ?? '', '/'));
  return z.NEVER;
});

/** A file of certificates; returns its content. */
const certificateFile = z.string().transform((path, context) => {
  try {
    const pem = readFileSync(path, 'utf8');
    void new X509Certificate(pem);
    return pem;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const reason = code?.startsWith('E') && !code.startsWith('ERR_') ? ` (${code})` : '';
    context.addIssue(`the path of a readable PEM file with a certificate${reason}`);
    return z.NEVER;
  }
});

/** The settings for where Elasticsearch is and how to authenticate. */
export const elasticsearchSettings = {
  ELASTICSEARCH_URL: {
    doc: 'Elasticsearch 8 or 9 for the searches of the production backend: all nodes that hold data, separated by commas.',
    schema: nodeUrls,
  },
  ELASTICSEARCH_USERNAME: {
    doc: 'User for Elasticsearch, together with ELASTICSEARCH_PASSWORD.',
    schema: z.string(),
  },
  ELASTICSEARCH_PASSWORD: {
    doc: 'Password of ELASTICSEARCH_USERNAME.',
    secret: true,
    schema: z.string(),
  },
  ELASTICSEARCH_API_KEY: {
    doc: 'API key for Elasticsearch in its encoded form, instead of a user and password.',
    secret: true,
    schema: z.string().regex(/^[\x21-\x7e]+$/, 'the encoded form of an Elasticsearch API key, without spaces'),
  },
  ELASTICSEARCH_CA_FILE: {
    doc: "PEM file with the certificate of the authority that signed Elasticsearch's certificates. Default: the system's authorities.",
    schema: certificateFile,
  },
} as const satisfies Record<string, Setting>;

/** How the production backend reaches Elasticsearch; null without it. */
export function readElasticsearch(values: ReadonlyMap<string, unknown>) {
  const read = <Name extends keyof typeof elasticsearchSettings>(name: Name) =>
    (values.get(name) ?? null) as z.output<(typeof elasticsearchSettings)[Name]['schema']> | null;
  const nodes = read('ELASTICSEARCH_URL');
  if (nodes === null) return null;
  const [apiKey, username] = [read('ELASTICSEARCH_API_KEY'), read('ELASTICSEARCH_USERNAME')];
  const user = username === null ? null : { username, password: read('ELASTICSEARCH_PASSWORD') ?? '' };
  /** `nodes` without a trailing slash, `ca` certificates in PEM form. */
  return { nodes, auth: apiKey === null ? user : { apiKey }, ca: read('ELASTICSEARCH_CA_FILE') };
}

/** Conflicts between the settings of Elasticsearch, one sentence each; no sentence shows a secret. */
export function findElasticsearchFaults(values: ReadonlyMap<string, unknown>): string[] {
  const [isKey, isUser, isPassword, isCa] = [
    'ELASTICSEARCH_API_KEY',
    'ELASTICSEARCH_USERNAME',
    'ELASTICSEARCH_PASSWORD',
    'ELASTICSEARCH_CA_FILE',
  ].map((name) => (values.get(name) ?? null) !== null);
  const nodes = readElasticsearch(values)?.nodes ?? [];
  const repeated = nodes.find((node, place) => nodes.indexOf(node) !== place);
  const faults: string[] = [];
  if (repeated !== undefined) faults.push(`ELASTICSEARCH_URL lists ${repeated} twice. List each node once.`);
  if (isKey && isUser) {
    faults.push('ELASTICSEARCH_API_KEY and a user with a password are both set. Set only one of them.');
  }
  if (isUser !== isPassword) {
    const [present, absent] = isUser ? ['USERNAME', 'PASSWORD'] : ['PASSWORD', 'USERNAME'];
    faults.push(`ELASTICSEARCH_${absent} must be set too, because ELASTICSEARCH_${present} is set.`);
  }
  if (isCa && nodes.some((node) => node.startsWith('http:'))) {
    faults.push('ELASTICSEARCH_CA_FILE needs TLS: every URL in ELASTICSEARCH_URL must begin with https://.');
  }
  return faults;
}
