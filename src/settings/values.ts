import { X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { trimEnd } from '#text/fold.ts';

export function text(form: RegExp, expected: string) {
  return z.string().regex(form, expected);
}

export function wholeNumber(min: number, max: number, expected: string) {
  return z
    .string()
    .regex(/^\d{1,9}$/, { message: expected, abort: true })
    .transform(Number)
    .refine((value) => value >= min && value <= max, expected);
}

export const trueOrFalse = z.enum(['true', 'false'], 'true or false').transform((value) => value === 'true');

/** An http(s) URL without credentials, query or fragment, and without a trailing slash. */
export function httpUrl(expected: string) {
  return z.string().transform((value, context) => {
    const url = /[?#]/.test(value) ? null : URL.parse(value);
    if (url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password) return trimEnd(url.href, '/');
    context.addIssue(expected);
    return z.NEVER;
  });
}

export const listed = z.string().transform((value) => value.split(',').map((item) => item.trim()));

const manyUrls = 'http(s) URLs without a password, separated by commas, such as https://es1.example.org:9200';
export const nodeUrls = listed.pipe(z.array(httpUrl(manyUrls)));

/** DNS resolvers as Node takes them: addresses, with or without a port. */
export const dnsServers = listed.refine((servers) => {
  try {
    new Resolver().setServers(servers);
    return true;
  } catch {
    return false;
  }
}, 'addresses of DNS resolvers, separated by commas, such as 9.9.9.9, [2620:fe::fe]:53');

/** The path of a file of certificates. Its value is the content. */
export const certificateFile = z.string().transform((path, context) => {
  try {
    const pem = readFileSync(path, 'utf8');
    void new X509Certificate(pem);
    return pem;
  } catch {
    context.addIssue('the path of a readable PEM file with a certificate');
    return z.NEVER;
  }
});

/** A mail server as a URL; without a port, the usual one. */
export const smtpServer = z.string().transform((value, context) => {
  const url = URL.parse(value);
  const isSecure = url?.protocol === 'smtps:';
  const isBare = url !== null && url.hostname !== '' && /^\/?$/.test(url.pathname) && !url.search && !url.hash;
  try {
    if (isBare && (isSecure || url.protocol === 'smtp:') && (url.username === '') === (url.password === '')) {
      const [user, pass] = [url.username, url.password].map(decodeURIComponent);
      const port = url.port === '' ? (isSecure ? 465 : 587) : Number(url.port);
      return { host: url.hostname, port, isSecure, auth: user && pass ? { user, pass } : null };
    }
  } catch {
    // A `%` that encodes nothing.
  }
  context.addIssue(
    'an smtp:// or smtps:// URL, with a user and a password or neither, such as smtps://user:password@mail.example.org',
  );
  return z.NEVER;
});

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/** What Express takes as `trust proxy`, except `true`: that would let callers choose the address that their limit is for. */
export const trustedProxies = z.string().transform((value, context): false | number | string[] => {
  if (/^(false|0)$/i.test(value)) return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const proxies = value.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => proxyNames.includes(proxy) || isAddressOrRange(proxy))) return proxies;
  context.addIssue(
    'false, the number of proxies in front (1 to 99), or their addresses or ranges separated by commas, such as 10.0.0.0/8, loopback',
  );
  return z.NEVER;
});

/** ipaddr.js also takes old forms such as `127.1` and `100` for addresses. They are probably mistakes, so isIP refuses them. */
function isAddressOrRange(text: string): boolean {
  return isIP(text.split('/')[0] ?? '') !== 0 && (ipaddr.isValid(text) || ipaddr.isValidCIDR(text));
}
