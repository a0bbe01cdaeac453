import ipaddr from 'ipaddr.js';

/**
 * Whether a host, as it appears in a URL, is always this machine: `localhost` and names that end in `.localhost` (RFC
 * 6761), 127.0.0.0/8 and ::1. Other names may lead anywhere, and can be made to lead here.
 */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name === 'localhost' || name.endsWith('.localhost')) return true;
  const address = name.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
}
