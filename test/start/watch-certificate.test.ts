import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { expect, it } from 'vitest';
import { findCertificateEnd } from '#src/start/watch-certificate.ts';
import { certify, makeAuthority } from '#test/backends/elasticsearch/make-certificates.ts';

it('the end of a certificate is read from the server, and unknown where none answers', async () => {
  const { key, cert } = await certify(await makeAuthority('nobody trusts it'), { ip: '127.0.0.1' });
  const server = createServer({ key, cert }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await findCertificateEnd('127.0.0.1', port)).toEqual(new Date(new X509Certificate(cert).validTo));
  server.close();
  await once(server, 'close');
  expect(await findCertificateEnd('127.0.0.1', port)).toBeNull();
});
