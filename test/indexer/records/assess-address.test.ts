import { describe, expect, it } from 'vitest';
import { applyFinding, assessAddress, domainOfAddress, type Finding } from '#indexer/records/assess-address.ts';
import type { EmailStatus } from '#records/vocabularies.ts';

const at = '2026-06-01T00:00:00.000Z';

describe('what a check finds out about an address', () => {
  it.each([
    ['desk@Bücher.example', 'xn--bcher-kva.example'],
    ['Desk <desk@herald.example>', 'herald.example'],
    ['desk at herald dot example', null],
    ['', null],
  ])('reads the domain of %j as imports do', (email, domain) => {
    expect(domainOfAddress(email)).toBe(domain);
  });

  it.each([
    ['herald.example', null, 'takes_mail'],
    ['gmail.com', null, 'webmail'],
    ['gmail.com', 'https://herald.example/', 'webmail'],
    ['gmail.com', 'https://www.gmail.com/about', 'takes_mail'],
    ['mailinator.com', null, 'disposable'],
    ['box.mailinator.com', null, 'disposable'],
    ['mailinator.com', 'https://mailinator.com/', 'disposable'],
  ])('an address at %s of a record with the page %s: %s', (domain, url, finding) => {
    expect(assessAddress({ url }, domain, 'takes_mail')).toBe(finding);
  });

  it('goes by DNS before the lists', () => {
    expect(assessAddress({ url: null }, 'mailinator.com', 'no_such_domain')).toBe('no_such_domain');
    expect(assessAddress({ url: null }, 'gmail.com', 'unknown')).toBe('unknown');
  });
});

/** Status before, finding, status afterwards. */
const outcomes: [EmailStatus | null, Finding, EmailStatus | null][] = [
  [null, 'takes_mail', 'valid'],
  ['unknown', 'webmail', 'webmail'],
  ['valid', 'webmail', 'valid'],
  ['accept_all', 'takes_mail', 'accept_all'],
  ['invalid', 'takes_mail', 'invalid'],
  ['valid', 'disposable', 'disposable'],
  ['invalid', 'disposable', 'invalid'],
  ['valid', 'no_such_domain', 'invalid'],
  ['accept_all', 'no_mail_server', 'invalid'],
];

describe('what a finding changes', () => {
  it.each(outcomes)('makes of %s with %s: %s, verified now', (stored, finding, status) => {
    expect(applyFinding({ email_status: stored }, finding, at)).toEqual({
      email_status: status,
      last_verified_at: at,
    });
  });

  it.each(['valid', 'invalid', 'accept_all', 'webmail', 'disposable', 'unknown'] as const)(
    'leaves %s and its date where DNS said nothing',
    (stored) => {
      expect(applyFinding({ email_status: stored }, 'unknown', at)).toBeNull();
    },
  );
});
