import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MailDomains } from '#indexer/records/mail-domains.ts';
import { readCases } from '#testing/cases.ts';
import { type DnsServer, startDnsServer, type Zone } from '#testing/stand-ins/dns-server.ts';
import { until } from '#testing/until.ts';

const manyExchanges = Array.from({ length: 200 }, (_, at) => `mx${at}.a-provider-with-a-long-name.example`);

const zone: Zone = {
  'mx.example': { MX: ['mail.mx.example'] },
  'address.example': { A: ['192.0.2.1'] },
  'address6.example': { AAAA: ['2001:db8::1'] },
  'null.example': { MX: ['.'], A: ['192.0.2.1'] },
  'self.example': { MX: ['localhost'] },
  'spare.example': { MX: ['.', 'mail.spare.example'] },
  'bare.example': { NS: ['ns.bare.example'] },
  'blocked.example': { A: ['0.0.0.0'] },
  'alias.example': { CNAME: 'alias2.example' },
  'alias2.example': { CNAME: 'mx.example' },
  'broken-alias.example': { CNAME: 'gone.example' },
  'huge.example': { MX: manyExchanges },
  'failing.example': 'SERVFAIL',
  'xn--bcher-kva.example': { MX: ['mail.mx.example'] },
};

describe('mail domains', () => {
  let server: DnsServer;
  let domains: MailDomains;
  beforeEach(async () => {
    server = await startDnsServer(zone);
    domains = new MailDomains([server.address]);
  });
  afterEach(() => server.close());

  it.each(readCases<[domain: string, answer: string]>(new URL('mail-domains.tsv', import.meta.url)))(
    '%s: %s, because %s',
    async (domain, expected) => {
      expect(await domains.lookUp(domain)).toBe(expected);
    },
  );

  it('asks again on TCP if the answer does not fit', async () => {
    expect(await domains.lookUp('huge.example')).toBe('takes_mail');
    expect(server.onTcp).toBe(1);
  });

  it('asks one question about a domain that has an exchange', async () => {
    await domains.lookUp('mx.example');
    expect(server.questions).toEqual(['MX mx.example']);
  });

  it('accept a resolver that knows public names and invents none', async () => {
    await domains.check();
    expect(server.questions).toEqual(['NS com', expect.stringMatching(/^A [0-9a-f-]{36}\.invalid$/)]);
  });

  it.each([
    ['does not answer (EREFUSED)', { com: 'REFUSED' }],
    ['does not know public names: it denies that com exists', { com: { A: ['192.0.2.1'] } }],
  ])('refuse a resolver that %s', async (what, broken) => {
    Object.assign(server.zone, broken);
    await expect(domains.check()).rejects.toThrow(
      `The DNS resolver ${what}. Asked: ${server.address}. Set DNS_SERVERS to another one, or try again later.`,
    );
  });

  it('refuse a resolver that invents addresses', async () => {
    server.zone = new Proxy(server.zone, { get: (known, name) => known[String(name)] ?? { A: ['192.0.2.80'] } });
    await expect(domains.check()).rejects.toThrow('invents addresses for names that do not exist');
  });

  it('keep to the rate of 100 questions a second', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const answered = Array.from({ length: 150 }, () => domains.lookUp('mx.example'));
    await until(() => server.questions.length === 100);
    vi.advanceTimersByTime(999);
    // The server hears this one after all that was asked before.
    await new MailDomains([server.address]).lookUp('mx.example');
    expect(server.questions).toHaveLength(101);
    vi.advanceTimersByTime(1);
    await Promise.all(answered);
  });
});
