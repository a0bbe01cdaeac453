/** 256 random bits: randomUUID is not available on pages without TLS. */
export function randomText() {
  return Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
