import { randomUUID } from 'node:crypto';
import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import pThrottle from 'p-throttle';
import type { DomainAnswer } from './assess-address.ts';

/** The resolver does not answer, or its answers cannot be true. The message says what to do. */
export class ResolverFault extends Error {
  override readonly name = 'ResolverFault';
}

const questionsPerSecond = 100;
/** How long each of the two attempts may take, in milliseconds. */
const timeoutMs = 3_000;
/** Names of mail servers that mean "no mail" (RFC 7505), or the machine that asks. */
const nowhere = new Set(['', '.', 'localhost']);

type RecordType = 'MX' | 'A' | 'AAAA' | 'NS';
/** The values of an answer, or why it has none. `none`: the name has no values of this type. `unknown`: no reliable answer. */
type Answer = { values: readonly string[] } | { without: 'none' | 'no_such_name' | 'unknown'; code: string };

/** Asks a DNS resolver whether domains take mail. It learns only the domains, never an address. */
export class MailDomains {
  readonly #resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: 2 });
  readonly #ask: (type: RecordType, name: string) => Promise<Answer>;

  /** @param servers with or without a port; empty for those of the system */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.#resolver.setServers(servers);
    this.#ask = pThrottle({ limit: questionsPerSecond, interval: 1_000 })(this.#askNow);
  }

  /** Whether a domain has a mail server or, without one, an IP address to which mail goes (RFC 5321, section 5.1). */
  async lookUp(domain: string): Promise<DomainAnswer> {
    const exchanges = await this.#ask('MX', domain);
    if ('values' in exchanges) {
      return exchanges.values.every((name) => nowhere.has(name.toLowerCase())) ? 'no_mail_server' : 'takes_mail';
    }
    if (exchanges.without !== 'none') return exchanges.without === 'unknown' ? 'unknown' : 'no_such_domain';
    for (const type of ['A', 'AAAA'] as const) {
      const addresses = await this.#ask(type, domain);
      if ('values' in addresses) return addresses.values.some(isPublic) ? 'takes_mail' : 'unknown';
      // The name existed a moment ago, so this answer is not reliable.
      if (addresses.without !== 'none') return 'unknown';
    }
    return 'no_mail_server';
  }

  /**
   * Throws ResolverFault if the resolver does not answer, does not know public names, or invents addresses for names that do
   * not exist, as in some hotels.
   */
  async check(): Promise<void> {
    const aboutCom = await this.#ask('NS', 'com');
    if ('without' in aboutCom) {
      throw aboutCom.without === 'unknown'
        ? this.#fault(`does not answer (${aboutCom.code})`)
        : this.#fault('does not know public names: it denies that com exists');
    }
    // RFC 6761: nothing ends in .invalid.
    const invented = await this.#ask('A', `${randomUUID()}.invalid`);
    if ('values' in invented) throw this.#fault('invents addresses for names that do not exist');
  }

  #fault(failure: string): ResolverFault {
    const servers = this.#resolver.getServers().join(', ');
    return new ResolverFault(
      `The DNS resolver ${failure}. Asked: ${servers}. Set DNS_SERVERS to another one, or try again later.`,
    );
  }

  #askNow = async (type: RecordType, name: string): Promise<Answer> => {
    try {
      const resolved = await this.#resolver.resolve(name, type);
      const values = (resolved as (string | { exchange: string })[]).map((answer) =>
        typeof answer === 'string' ? answer : answer.exchange,
      );
      return values.length === 0 ? { without: 'none', code: NODATA } : { values };
    } catch (error) {
      const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
      if (code === NODATA) return { without: 'none', code };
      return { without: code === NOTFOUND ? 'no_such_name' : 'unknown', code };
    }
  };
}

/** Resolvers that block names answer with 0.0.0.0 or the machine itself, which says nothing about the domain. */
function isPublic(address: string): boolean {
  return !['unspecified', 'loopback'].includes(ipaddr.parse(address).range());
}
