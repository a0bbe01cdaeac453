import { randomUUID } from 'node:crypto';
import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import pThrottle from 'p-throttle';
import type { DomainAnswer } from './assess-address.ts';

interface DnsOptions {
  /** Addresses with or without a port; empty for those of the system. */
  servers: readonly string[];
  questionsPerSecond: number;
  /** How long each of the two tries of a question waits, in milliseconds. */
  timeoutMs: number;
}

/** The resolver cannot be used: it does not answer, or what it answers cannot be true. The message says what to do. */
export class ResolverFault extends Error {
  override readonly name = 'ResolverFault';
}

const tries = 2;
/** Domains without an answer, one after the other, after which the resolver itself is in doubt. */
const doubtfulInARow = 50;
/** An exchange that stands for "no mail" (RFC 7505), or for the machine that asks. */
const nowhere = new Set(['', '.', 'localhost']);

type RecordType = 'MX' | 'A' | 'AAAA' | 'CNAME' | 'NS';
/** The values of an answer; or why there are none: `none` of this type, no such name, or nothing that can be relied on. */
type Answer = { values: readonly string[] } | { without: 'none' | 'no_such_name' | 'unknown'; code: string };

/** Asks a DNS resolver whether domains take mail. Nothing but the domain is in a question. */
export class MailDomains {
  readonly #resolver: Resolver;
  readonly #ask: (type: RecordType, name: string) => Promise<Answer>;
  #questions = 0;
  #doubtful = 0;
  #checking: Promise<void> | null = null;

  constructor({ servers, questionsPerSecond, timeoutMs }: DnsOptions) {
    this.#resolver = new Resolver({ timeout: timeoutMs, maxTimeout: timeoutMs, tries });
    if (servers.length > 0) this.#resolver.setServers(servers);
    const throttle = pThrottle({ limit: questionsPerSecond, interval: 1_000 });
    this.#ask = throttle((type: RecordType, name: string) => this.#askNow(type, name));
  }

  /** Questions asked until now. */
  get questions(): number {
    return this.#questions;
  }

  /**
   * Whether mail to a domain has a place to go (RFC 5321, section 5.1): a mail exchange or, without one, an address of its own.
   *
   * @throws ResolverFault if many domains in a row had no answer, and the resolver turns out to be the reason
   */
  async lookUp(domain: string): Promise<DomainAnswer> {
    const answer = await this.#lookUp(domain);
    this.#doubtful = answer === 'unknown' ? this.#doubtful + 1 : 0;
    if (this.#doubtful >= doubtfulInARow) await this.#checkAgain();
    return answer;
  }

  /**
   * Checks that the resolver answers, knows public names, and does not invent addresses for names that do not exist, as those of
   * some access providers and hotels do.
   *
   * @throws ResolverFault if not
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

  /** Once for all that are in doubt at the same time. */
  async #checkAgain(): Promise<void> {
    this.#checking ??= this.check().finally(() => {
      this.#checking = null;
      this.#doubtful = 0;
    });
    await this.#checking;
  }

  #fault(what: string): ResolverFault {
    const asked = this.#resolver.getServers().join(', ');
    return new ResolverFault(
      `The DNS resolver ${what}. Asked: ${asked}. Set DNS_SERVERS to another one, or try again later.`,
    );
  }

  async #lookUp(domain: string): Promise<DomainAnswer> {
    const exchanges = await this.#ask('MX', domain);
    if ('values' in exchanges) {
      return exchanges.values.every((name) => nowhere.has(name.toLowerCase())) ? 'no_mail_server' : 'takes_mail';
    }
    if (exchanges.without === 'no_such_name') return 'no_such_domain';
    if (exchanges.without === 'unknown') return 'unknown';
    for (const type of ['A', 'AAAA'] as const) {
      const addresses = await this.#ask(type, domain);
      if ('values' in addresses) return addresses.values.some(isPublic) ? 'takes_mail' : 'unknown';
      // The name was there a moment ago.
      if (addresses.without !== 'none') return 'unknown';
    }
    // A resolver follows an alias. One that leads nowhere says nothing certain.
    const alias = await this.#ask('CNAME', domain);
    return 'without' in alias && alias.without === 'none' ? 'no_mail_server' : 'unknown';
  }

  async #askNow(type: RecordType, name: string): Promise<Answer> {
    this.#questions += 1;
    try {
      const values = await this.#resolve(type, name);
      return values.length === 0 ? { without: 'none', code: NODATA } : { values };
    } catch (error) {
      const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
      if (code === NODATA) return { without: 'none', code };
      return { without: code === NOTFOUND ? 'no_such_name' : 'unknown', code };
    }
  }

  async #resolve(type: RecordType, name: string): Promise<string[]> {
    switch (type) {
      case 'MX':
        return (await this.#resolver.resolveMx(name)).map(({ exchange }) => exchange);
      case 'A':
        return this.#resolver.resolve4(name);
      case 'AAAA':
        return this.#resolver.resolve6(name);
      case 'CNAME':
        return this.#resolver.resolveCname(name);
      case 'NS':
        return this.#resolver.resolveNs(name);
    }
  }
}

/** Resolvers that block names answer with 0.0.0.0 or the machine itself, which says nothing about the domain. */
function isPublic(address: string): boolean {
  return !['unspecified', 'loopback'].includes(ipaddr.parse(address).range());
}
