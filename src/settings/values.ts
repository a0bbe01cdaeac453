import { X509Certificate } from 'node:crypto';
import { Resolver } from 'node:dns';
import { readFileSync } from 'node:fs';
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
    const url = parseHttpUrl(value);
    if (url !== null && !url.username && !url.password) return trimEnd(url.href, '/');
    context.addIssue(expected);
    return z.NEVER;
  });
}

function parseHttpUrl(value: string): URL | null {
  const url = URL.parse(value);
  return url !== null && /^https?:$/.test(url.protocol) && !/[?#]/.test(value) ? url : null;
}

export const nodeUrls = z.string().transform((value, context) => {
  const nodes = value.split(',').map((node) => parseHttpUrl(node.trim()));
  if (nodes.some((node) => node === null)) {
    const example = 'https://es1.example.org:9200,https://es2.example.org:9200';
    context.addIssue(`one or more http(s) URLs separated by commas, such as ${example}`);
  } else if (nodes.some((node) => node?.username || node?.password)) {
    context.addIssue('without a user and password. Set ELASTICSEARCH_USERNAME and ELASTICSEARCH_PASSWORD');
  } else return nodes.map((node) => trimEnd(node?.href ?? '', '/'));
  return z.NEVER;
});

/** A file of certificates; its content. */
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

/** Addresses in the form that Node's resolver takes. */
export const dnsServers = z.string().transform((value, context) => {
  const servers = value.split(',').map((server) => server.trim());
  try {
    new Resolver().setServers(servers);
    return servers;
  } catch {
    context.addIssue('IP addresses separated by commas, such as 192.0.2.53, 192.0.2.54:5353, [2001:db8::53]:5353');
    return z.NEVER;
  }
});

const proxyNames = ['loopback', 'linklocal', 'uniquelocal'];

/** The forms of Express' `trust proxy`, without `true`: any caller could choose the address it is counted under. */
export const trustedProxies = z.string().transform((value, context): false | number | string[] => {
  if (/^(false|0)$/i.test(value)) return false;
  if (/^[1-9]\d?$/.test(value)) return Number(value);
  const proxies = value.split(',').map((proxy) => proxy.trim());
  if (proxies.every((proxy) => proxyNames.includes(proxy) || ipaddr.isValid(proxy) || ipaddr.isValidCIDR(proxy)))
    return proxies;
  context.addIssue(
    'false, the number of proxies in front (1 to 99), or their addresses or ranges separated by commas, such as 10.0.0.0/8, loopback',
  );
  return z.NEVER;
});
