import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MailDomains } from '#indexer/records/mail-domains.ts';
import { type DnsServer, startDnsServer, type Zone } from '#testing/stand-ins/dns-server.ts';

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
  'blocked6.example': { AAAA: ['::'] },
  'looped.example': { CNAME: 'looped2.example' },
  'looped2.example': { CNAME: 'looped.example' },
  'alias.example': { CNAME: 'alias2.example' },
  'alias2.example': { CNAME: 'mx.example' },
  'broken-alias.example': { CNAME: 'gone.example' },
  'textual-alias.example': { CNAME: 'bare.example' },
  'huge.example': { MX: manyExchanges },
  'failing.example': 'SERVFAIL',
  'refused.example': 'REFUSED',
  'silent.example': 'silence',
  'lying.example': 'another question',
  'xn--bcher-kva.example': { MX: ['mail.mx.example'] },
};

const options = { questionsPerSecond: 10_000, timeoutMs: 100 };

describe('mail domains', () => {
  let server: DnsServer;
  let domains: MailDomains;
  beforeEach(async () => {
    server = await startDnsServer(zone);
    domains = new MailDomains({ ...options, servers: [server.address] });
  });
  afterEach(() => server.close());

  it.each([
    ['mx.example', 'takes_mail', 'it has a mail exchange'],
    ['address.example', 'takes_mail', 'RFC 5321 sends mail to its address then'],
    ['address6.example', 'takes_mail', 'to one of IPv6 as well'],
    ['spare.example', 'takes_mail', 'one of its exchanges is a host'],
    ['alias.example', 'takes_mail', 'a chain of aliases leads to an exchange'],
    ['xn--bcher-kva.example', 'takes_mail', 'names of other scripts are asked in ASCII'],
    ['null.example', 'no_mail_server', 'a null MX (RFC 7505) refuses mail, whatever addresses there are'],
    ['self.example', 'no_mail_server', 'its exchange is the machine that asks'],
    ['bare.example', 'no_mail_server', 'it has neither'],
    ['none.example', 'no_such_domain', 'nobody registered it'],
    ['broken-alias.example', 'no_such_domain', 'its alias leads to a name that does not exist'],
    ['looped.example', 'unknown', 'its aliases lead in a circle'],
    ['textual-alias.example', 'unknown', 'its alias leads to a name without mail, as far as this resolver followed'],
    ['blocked.example', 'unknown', 'resolvers that block names answer 0.0.0.0'],
    ['blocked6.example', 'unknown', 'or ::'],
    ['failing.example', 'unknown', 'SERVFAIL says nothing about it'],
    ['refused.example', 'unknown', 'REFUSED neither'],
    ['silent.example', 'unknown', 'there was no answer'],
    ['lying.example', 'unknown', 'the answer was to another question'],
  ])('%s: %s, because %s', async (domain, expected) => {
    expect(await domains.lookUp(domain)).toBe(expected);
  });

  it('asks again on TCP if the answer does not fit', async () => {
    expect(await domains.lookUp('huge.example')).toBe('takes_mail');
    expect(server.onTcp).toBe(1);
  });

  it('asks one question about a domain that has an exchange', async () => {
    await domains.lookUp('mx.example');
    expect(server.questions).toEqual(['MX mx.example']);
    expect(domains.questions).toBe(1);
  });

  it('accept a resolver that knows public names and invents none', async () => {
    await domains.check();
    expect(server.questions).toEqual(['NS com', expect.stringMatching(/^A [0-9a-f-]{36}\.invalid$/)]);
  });

  it.each([
    ['does not answer (ETIMEOUT)', { com: 'silence' }],
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

  it('give up when the resolver fails in the middle, not at single domains without an answer', async () => {
    for (let number = 0; number < 60; number += 1) server.zone[`f${number}.example`] = 'SERVFAIL';
    const all = () => Promise.all(Array.from({ length: 60 }, (_, number) => domains.lookUp(`f${number}.example`)));
    expect(new Set(await all())).toEqual(new Set(['unknown']));
    server.zone.com = 'REFUSED';
    await expect(all()).rejects.toThrow('does not answer (EREFUSED)');
  });

  it('keep to the rate', async () => {
    const slow = new MailDomains({ ...options, questionsPerSecond: 2, servers: [server.address] });
    await Promise.race([
      Promise.all(Array.from({ length: 50 }, () => slow.lookUp('mx.example'))),
      expect.poll(() => server.questions.length).toBeGreaterThanOrEqual(2),
    ]);
    expect(server.questions.length).toBeLessThan(10);
  });
});
