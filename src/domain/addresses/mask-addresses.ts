import { mayHoldAddress } from './may-hold-address.ts';
import { findAddresses } from './scrub-addresses.ts';

/** A path or file name for messages and logs: `***` in place of the addresses that it holds, in any form. */
export function maskAddresses(path: string): string {
  if (!mayHoldAddress(path)) return path;
  let shown = '';
  let end = 0;
  for (const address of findAddresses(path, true)) {
    shown += `${path.slice(end, address.start)}***`;
    end = address.end;
  }
  return shown + path.slice(end);
}
