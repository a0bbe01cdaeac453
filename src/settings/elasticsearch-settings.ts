import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { trimEnd } from '#text/fold.ts';
import { parseHttpUrl, type Setting, textOf } from './setting.ts';

const nodesExpected =
  'one or more http(s) URLs separated by commas, such as https://es1.example.org:9200,https://es2.example.org:9200';

const nodeUrls = z.string().transform((text, context) => {
  const nodes = text.split(',').map((node) => parseHttpUrl(node.trim()));
  if (nodes.every((node) => node !== null && canBeDecoded(node.username + node.password))) return nodes as URL[];
  context.addIssue(nodesExpected);
  return z.NEVER;
});

/** A Cloud ID is a label, a colon, and in base64 the host of the region and the deployment's name, separated by `$`. */
const cloudNode = z.string().transform((text, context) => {
  const [, encoded = ''] = /^[^:]*:([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const [region, deployment] = Buffer.from(encoded, 'base64').toString().split('$');
  const node = region && deployment ? parseHttpUrl(`https://${deployment}.${region}`) : null;
  if (node !== null) return [node];
  context.addIssue('the Cloud ID of an Elastic Cloud deployment: a name, a colon and base64 text');
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
    secret: true,
    schema: nodeUrls,
  },
  ELASTIC_CLOUD_ID: {
    doc: 'Cloud ID of an Elastic Cloud deployment, instead of ELASTICSEARCH_URL.',
    schema: cloudNode,
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

export type ElasticsearchEntries = ReturnType<typeof readElasticsearch>;

/** Their values; null for those that are absent or invalid. */
export function readElasticsearch(values: ReadonlyMap<string, unknown>) {
  const read = <Name extends keyof typeof elasticsearchSettings>(name: Name) =>
    (values.get(name) ?? null) as z.output<(typeof elasticsearchSettings)[Name]['schema']> | null;
  return {
    /** With the user and password if the URL contains them. */
    nodes: [...(read('ELASTICSEARCH_URL') ?? []), ...(read('ELASTIC_CLOUD_ID') ?? [])],
    username: read('ELASTICSEARCH_USERNAME'),
    password: read('ELASTICSEARCH_PASSWORD'),
    apiKey: read('ELASTICSEARCH_API_KEY'),
    /** Certificates in PEM form. */
    ca: read('ELASTICSEARCH_CA_FILE'),
  };
}

/** How the production backend reaches Elasticsearch. */
export function toElasticsearchConfig({ nodes, username, password, apiKey, ca }: ElasticsearchEntries) {
  const [signedIn] = nodes.filter(holdsCredentials);
  const user = username ?? (signedIn && decodeURIComponent(signedIn.username));
  const secret = password ?? (signedIn && decodeURIComponent(signedIn.password));
  return {
    /** Without credentials and without a trailing slash. */
    nodes: nodes.map(withoutCredentials),
    auth: apiKey !== null ? { apiKey } : user !== undefined ? { username: user, password: secret ?? '' } : null,
    ca,
  };
}

/** Conflicts between the settings of Elasticsearch, one sentence each; no sentence shows a secret. */
export function findElasticsearchFaults(
  { nodes, username, password, apiKey, ca }: ElasticsearchEntries,
  env: NodeJS.ProcessEnv,
): string[] {
  const faults: string[] = [];
  const repeated = nodes.map(withoutCredentials).find((node, place, all) => all.indexOf(node) !== place);
  const users = new Set(nodes.filter(holdsCredentials).map((node) => `${node.username}:${node.password}`));
  if (textOf(env, 'ELASTICSEARCH_URL') !== null && textOf(env, 'ELASTIC_CLOUD_ID') !== null) {
    faults.push('ELASTICSEARCH_URL and ELASTIC_CLOUD_ID are both set. Set only one of them.');
  }
  if (repeated !== undefined) {
    faults.push(`ELASTICSEARCH_URL lists ${repeated} twice. List each node once.`);
  }
  if (users.size > 1) {
    faults.push(
      'ELASTICSEARCH_URL contains different users or passwords, but a cluster uses one. Set ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD instead.',
    );
  }
  if (users.size > 0 && (username !== null || password !== null)) {
    faults.push(
      'ELASTICSEARCH_URL contains a user and password, and so do ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD. Set them in one place.',
    );
  }
  if (apiKey !== null && (users.size > 0 || username !== null)) {
    faults.push('ELASTICSEARCH_API_KEY and a user with a password are both set. Set only one of them.');
  }
  if (password !== null && username === null && users.size === 0) {
    faults.push('ELASTICSEARCH_USERNAME must be set too, because ELASTICSEARCH_PASSWORD is set.');
  }
  if (username !== null && password === null && users.size === 0) {
    faults.push('ELASTICSEARCH_PASSWORD must be set too, because ELASTICSEARCH_USERNAME is set.');
  }
  if (ca !== null && nodes.some(({ protocol }) => protocol === 'http:')) {
    faults.push('ELASTICSEARCH_CA_FILE needs TLS: every URL in ELASTICSEARCH_URL must begin with https://.');
  }
  return faults;
}

function canBeDecoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function holdsCredentials({ username, password }: URL): boolean {
  return username !== '' || password !== '';
}

function withoutCredentials(node: URL): string {
  const plain = new URL(node);
  plain.username = '';
  plain.password = '';
  return trimEnd(plain.href, '/');
}
