import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { hasEngines, openOnEngines } from '#testing/backends.ts';
import { type NodeProxy, startNodeProxy } from '#testing/engines/node-proxy.ts';
import { engines } from '#testing/engines.ts';
import { madeRecord } from '#testing/made-record.ts';
import type { Production } from '#testing/open-production.ts';
import { type ServiceProcess, startService } from '#testing/processes.ts';
import { useFolder } from '#testing/use.ts';
import { type Certified, certify, makeAuthority } from './make-certificates.ts';

const { elasticsearch } = engines;
const password = 'hunter2';
const authorization = `Basic ${Buffer.from(`user:${password}`).toString('base64')}`;
const signedIn = { ELASTICSEARCH_USERNAME: 'user', ELASTICSEARCH_PASSWORD: password };
const here = { ip: '127.0.0.1' };

/** A proxy that ends TLS and asks for a password, in front of a real node. */
describe.skipIf(!hasEngines)('Elasticsearch with TLS and a password', () => {
  const folder = useFolder();
  let production: Production;
  let authority: Certified;
  let node: NodeProxy;
  let caFile: string;
  const closing: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    production = await openOnEngines();
    await production.records.merge([madeRecord({ id: 'a', name: 'Alpha Post' })]);
    await production.reindex();
    authority = await makeAuthority('Cluster CA');
    caFile = join(folder, 'ca.pem');
    writeFileSync(caFile, authority.cert);
    node = await startTlsNode(await certify(authority, here), authority);
  });
  afterEach(async () => {
    for (const close of closing.splice(0)) await close();
  });
  afterAll(async () => {
    await node.close();
    await production.close();
  });

  /** A node that presents this certificate and its authority's. */
  function startTlsNode({ key, cert }: Certified, shown: Certified): Promise<NodeProxy> {
    return startNodeProxy(elasticsearch as string, { tls: { key, cert: `${cert}\n${shown.cert}` }, authorization });
  }

  async function start(settings: Record<string, string>): Promise<ServiceProcess> {
    const service = await startService({ ...production.settings, ELASTICSEARCH_URL: node.url, ...settings });
    closing.push(async () => {
      service.process.kill('SIGTERM');
      await service.ended;
    });
    return service;
  }

  /** The message of a service that does not start. */
  async function refusal(settings: Record<string, string>): Promise<string> {
    const message = await start(settings).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(message).not.toContain(password);
    return message;
  }

  it('is searched if the authority is known', async () => {
    const { url } = await start({ ...signedIn, ELASTICSEARCH_CA_FILE: caFile });
    await expect.poll(async () => (await fetch(`${url}/api/v1/search?q=alpha`)).json()).toMatchObject({ total: 1 });
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('accepts an API key instead of a user', async () => {
    const keyed = await startNodeProxy(elasticsearch as string, {
      tls: { ...(await certify(authority, here)) },
      authorization: 'ApiKey c2VjcmV0',
    });
    closing.push(() => keyed.close());
    const settings = { ELASTICSEARCH_URL: keyed.url, ELASTICSEARCH_CA_FILE: caFile };
    const { url } = await start({ ...settings, ELASTICSEARCH_API_KEY: 'c2VjcmV0' });
    await expect.poll(async () => (await fetch(`${url}/readyz`)).status).toBe(200);
  });

  it('is refused if no setting trusts its authority', async () => {
    expect(await refusal(signedIn)).toMatch(
      /The certificate of Elasticsearch at 127.0.0.1:\d+ is not trusted \(.*\): set ELASTICSEARCH_CA_FILE/,
    );
  });

  it('is refused if another authority than the trusted one signed its certificate', async () => {
    const other = await makeAuthority('Cluster CA');
    const path = join(folder, 'other.pem');
    writeFileSync(path, other.cert);
    expect(await refusal({ ...signedIn, ELASTICSEARCH_CA_FILE: path })).toMatch(/is not trusted/);
  });

  it('is refused under a name that its certificate does not have', async () => {
    const elsewhere = await startTlsNode(await certify(authority, { host: 'es.example' }), authority);
    closing.push(() => elsewhere.close());
    const settings = { ...signedIn, ELASTICSEARCH_CA_FILE: caFile, ELASTICSEARCH_URL: elsewhere.url };
    expect(await refusal(settings)).toMatch(
      /is not trusted \(.*altnames.*\): use the host name in the node's certificate in ELASTICSEARCH_URL/,
    );
  });

  it('is refused if the password is wrong, or if it does not use TLS', async () => {
    const wrong = { ELASTICSEARCH_USERNAME: 'user', ELASTICSEARCH_PASSWORD: 'wrong', ELASTICSEARCH_CA_FILE: caFile };
    expect(await refusal(wrong)).toMatch(/rejected the credentials\. Check ELASTICSEARCH_USERNAME/);
    expect(await refusal({ ELASTICSEARCH_URL: (elasticsearch as string).replace('http:', 'https:') })).toMatch(
      /does not use TLS\. Use http:/,
    );
  });
});
