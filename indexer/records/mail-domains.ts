import { randomUUID } from 'node:crypto';
import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import pThrottle from 'p-throttle';
import type { DomainAnswer } from './assess-address.ts';

/** The resolver cannot be used: it does not answer, or what it answers cannot be true. The message says what to do. */
export class ResolverFault extends Error {
  override readonly name = 'ResolverFault';
}

const questionsPerSecond = 100;
/** How long each of the two tries of a question waits, in milliseconds. */
const timeoutMs = 3_000;
/** An exchange that stands for "no mail" (RFC 7505), or for the machine that asks. */
const nowhere = new Set(['', '.', 'localhost']);

type RecordType = 'MX' | 'A' | 'AAAA' | 'NS';
/** The values of an answer; or why there are none: `none` of this type, no such name, or nothing that can be relied on. */
type Answer = { values: readonly string[] } | { without: 'none' | 'no_such_name' | 'unknown'; code: string };

/** Asks a DNS resolver whether domains take mail. Nothing but the domain is in a question. */
export class MailDomains {
  readonly #resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries: 2 });
  readonly #ask: (type: RecordType, name: string) => Promise<Answer>;

  /** @param servers with or without a port; empty for those of the system */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.#resolver.setServers(servers);
    this.#ask = pThrottle({ limit: questionsPerSecond, interval: 1_000 })(this.#askNow);
  }

  /** Whether mail to a domain has a place to go (RFC 5321, section 5.1): a mail exchange or, without one, an address. */
  async lookUp(domain: string): Promise<DomainAnswer> {
    const exchanges = await this.#ask('MX', domain);
    if ('values' in exchanges) {
      return exchanges.values.every((name) => nowhere.has(name.toLowerCase())) ? 'no_mail_server' : 'takes_mail';
    }
    if (exchanges.without !== 'none') return exchanges.without === 'unknown' ? 'unknown' : 'no_such_domain';
    for (const type of ['A', 'AAAA'] as const) {
      const addresses = await this.#ask(type, domain);
      if ('values' in addresses) return addresses.values.some(isPublic) ? 'takes_mail' : 'unknown';
      // The name was there a moment ago.
      if (addresses.without !== 'none') return 'unknown';
    }
    return 'no_mail_server';
  }

  /**
   * Checks that the resolver answers, knows public names, and does not invent addresses for names that do not exist, as
   * those of some access providers and hotels do. Throws ResolverFault if not.
   */
  async check(): Promise<void> {
    const known = await this.#ask('NS', 'com');
    if ('without' in known) {
      throw known.without === 'unknown'
        ? this.#fault(`does not answer (${known.code})`)
        : this.#fault('does not know public names: it denies that com exists');
    }
    // RFC 6761: nothing ends in .invalid.
    const invented = await this.#ask('A', `${randomUUID()}.invalid`);
    if ('values' in invented) throw this.#fault('invents addresses for names that do not exist');
  }

  #fault(what: string): ResolverFault {
    const asked = this.#resolver.getServers().join(', ');
    return new ResolverFault(
      `The DNS resolver ${what}. Asked: ${asked}. Set DNS_SERVERS to another one, or try again later.`,
    );
  }

  #askNow = async (type: RecordType, name: string): Promise<Answer> => {
    try {
      const found = await this.#resolver.resolve(name, type);
      const values = (found as (string | { exchange: string })[]).map((one) =>
        typeof one === 'string' ? one : one.exchange,
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
