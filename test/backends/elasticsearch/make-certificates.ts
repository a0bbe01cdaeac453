import { generate } from 'selfsigned';

/** A certificate with its key, in PEM form. */
export interface Certified {
  key: string;
  cert: string;
}

const shape = { keyType: 'ec', algorithm: 'sha256' } as const;

/** An authority that signs certificates; two of the same name are different authorities all the same. */
export async function makeAuthority(name: string): Promise<Certified> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: name }], {
    ...shape,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  return { key, cert };
}

/** A server's certificate, signed by the authority, for one IP address or host name. */
export async function certify(authority: Certified, place: { ip: string } | { host: string }): Promise<Certified> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'node' }], {
    ...shape,
    ca: authority,
    extensions: [
      { name: 'basicConstraints', cA: false },
      { name: 'keyUsage', digitalSignature: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: ['ip' in place ? { type: 7, ip: place.ip } : { type: 2, value: place.host }],
      },
    ],
  });
  return { key, cert };
}
