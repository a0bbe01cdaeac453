import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { trimEnd } from '#domain/trim-end.ts';
import { parseHttpUrl } from './setting.ts';

/** The settings for where Elasticsearch is and how to authenticate. */
export interface ElasticsearchEntries {
  /** ELASTICSEARCH_URL or ELASTIC_CLOUD_ID: the nodes, with the user and password if the URL contains them. */
  nodes: readonly URL[];
  username: string | null;
  password: string | null;
  apiKey: string | null;
  /** Certificates in PEM form. */
  ca: string | null;
  caFingerprint: string | null;
}

/** How the production backend reaches Elasticsearch. */
export interface ElasticsearchConfig {
  /** Without credentials and without a trailing slash. */
  nodes: readonly string[];
  auth: { apiKey: string } | { username: string; password: string } | null;
  /** The certificate authorities to trust instead of the system's, in PEM form. */
  ca: string | null;
  /** SHA-256 of the certificate of the authority to trust: 64 lower-case hexadecimal digits. */
  caFingerprint: string | null;
}

export function toElasticsearchConfig({
  nodes,
  username,
  password,
  apiKey,
  ca,
  caFingerprint,
}: ElasticsearchEntries): ElasticsearchConfig {
  const [signedIn] = nodes.filter(holdsCredentials);
  const user = username ?? (signedIn && decodeURIComponent(signedIn.username));
  const secret = password ?? (signedIn && decodeURIComponent(signedIn.password));
  return {
    nodes: nodes.map(withoutCredentials),
    auth: apiKey !== null ? { apiKey } : user !== undefined ? { username: user, password: secret ?? '' } : null,
    ca,
    caFingerprint,
  };
}

/** Conflicts between the settings of Elasticsearch, one sentence each; no sentence shows a secret. */
export function findElasticsearchFaults(
  { nodes, username, password, apiKey, ca, caFingerprint }: ElasticsearchEntries,
  names: { isUrlSet: boolean; isCloudIdSet: boolean },
): string[] {
  const faults: string[] = [];
  const repeated = nodes.map(withoutCredentials).find((node, place, all) => all.indexOf(node) !== place);
  const users = new Set(nodes.filter(holdsCredentials).map((node) => `${node.username}:${node.password}`));
  if (names.isUrlSet && names.isCloudIdSet) {
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
  if (ca !== null && caFingerprint !== null) {
    faults.push('ELASTICSEARCH_CA_FILE and ELASTICSEARCH_CA_FINGERPRINT are both set. Set only one of them.');
  }
  if ((ca !== null || caFingerprint !== null) && nodes.some(({ protocol }) => protocol === 'http:')) {
    faults.push(
      `${ca !== null ? 'ELASTICSEARCH_CA_FILE' : 'ELASTICSEARCH_CA_FINGERPRINT'} needs TLS: every URL in ELASTICSEARCH_URL must begin with https://.`,
    );
  }
  return faults;
}

const nodesExpected =
  'one or more http(s) URLs separated by commas, such as https://es1.example.org:9200,https://es2.example.org:9200';

export const nodeUrls = z.string().transform((text, context) => {
  const nodes = text.split(',').map((node) => parseHttpUrl(node.trim()));
  if (nodes.every((node) => node !== null && canBeDecoded(node.username + node.password))) return nodes as URL[];
  context.addIssue(nodesExpected);
  return z.NEVER;
});

/** A Cloud ID is a label, a colon, and in base64 the host of the region and the deployment's name, separated by `$`. */
export const cloudNode = z.string().transform((text, context) => {
  const [, encoded = ''] = /^[^:]*:([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const [region, deployment] = Buffer.from(encoded, 'base64').toString().split('$');
  const node = region && deployment ? parseHttpUrl(`https://${deployment}.${region}`) : null;
  if (node !== null) return [node];
  context.addIssue('the Cloud ID of an Elastic Cloud deployment: a name, a colon and base64 text');
  return z.NEVER;
});

/** A file of certificates; returns its content. */
export const certificateFile = z.string().transform((path, context) => {
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

export const fingerprint = z
  .string()
  .transform((text) => text.replaceAll(':', '').toLowerCase())
  .refine(
    (digits) => /^[0-9a-f]{64}$/.test(digits),
    'the SHA-256 fingerprint of a certificate: 64 hexadecimal digits, with or without colons',
  );

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
