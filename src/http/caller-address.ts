import { isIP } from 'node:net';
import type { Request, RequestHandler } from 'express';
import ipaddr from 'ipaddr.js';

/** Such as [2001:db8::1]:80, [::1] or 203.0.113.9:4711. An IPv6 address without brackets has no port. */
const beside = /^\[([^\]]+)\](?::\d*)?$|^(\d+(?:\.\d+){3}):\d*$/;

/**
 * Removes the ports from X-Forwarded-For before anything looks for trusted proxies in it: some proxies, such as Azure
 * Application Gateway, append them to addresses.
 */
export const dropForwardedPorts: RequestHandler = (req, _res, next) => {
  const forwarded = req.get('X-Forwarded-For');
  if (forwarded !== undefined) {
    req.headers['x-forwarded-for'] = forwarded
      .split(',')
      .map((entry) => entry.trim().replace(beside, '$1$2'))
      .join(', ');
  }
  next();
};

/**
 * Whose requests are counted together: an IPv4 address, or the /64 of an IPv6 address, which a single household or
 * server is given (RFC 6177) and could otherwise cycle through. If a trusted proxy names no address, the nearest known
 * one counts, ultimately that of the connection: forging a header gains nothing and harms nobody else.
 */
export function callerGroup({ ips, socket }: Request): string {
  const known = [...ips, socket.remoteAddress ?? ''].find((address) => isIP(address) !== 0);
  if (known === undefined) return 'unknown';
  const address = ipaddr.process(known);
  if (!(address instanceof ipaddr.IPv6)) return address.toString();
  const network = address.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(':')}::/64`;
}
