import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/*
 * mh_<32 random base62 characters><6 base62 characters of their CRC32>, GitHub's format: the prefix lets secret
 * scanners find leaked keys, and the checksum rejects mistyped keys before any store lookup.
 */
const brand = 'mh_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 32;
const checksumLength = 6;
const shownLength = brand.length + 8;
const pattern = new RegExp(`^${brand}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  while (digits.length < checksumLength) {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}

/** A new key with 190 random bits. It is shown once and never stored. */
export function generateApiKey(): string {
  let random = '';
  while (random.length < randomLength) random += alphabet.charAt(randomInt(alphabet.length));
  return brand + random + checksum(random);
}

/** Whether the text can be a key: checks form and checksum without a store. */
export function isWellFormedApiKey(text: string): boolean {
  if (!pattern.test(text)) return false;
  const random = text.slice(brand.length, brand.length + randomLength);
  return text.slice(brand.length + randomLength) === checksum(random);
}

export function apiKeyPrefix(key: string): string {
  return key.slice(0, shownLength);
}

/** HMAC-SHA-256 of the key under the pepper, hex: what stores keep. */
export function hashApiKey(key: string, pepper: string): string {
  return createHmac('sha256', pepper).update(key).digest('hex');
}

export type KeyIdentity = { hash: string; prefix: string };

export function identifyKey(key: string, pepper: string): KeyIdentity {
  return { hash: hashApiKey(key, pepper), prefix: apiKeyPrefix(key) };
}
