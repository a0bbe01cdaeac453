import { describe, expect, it } from 'vitest';
import { mayHoldAddress } from '#domain/addresses/may-hold-address.ts';
import { findAddresses, holdsAddress, scrubAddresses } from '#domain/addresses/scrub-addresses.ts';
import { cleanText } from '#domain/normalize/clean-text.ts';
import { deadLetterId, normalizeId } from '#domain/normalize/normalize-id.ts';
import { normalizeUrl } from '#domain/normalize/normalize-url.ts';
import { addressForms, harmlessTexts, leaksQuill } from './address-forms.ts';

const clean = (text: string) => cleanText(text, 300, () => undefined);

describe('the search for email addresses', () => {
  it('knows more than a hundred forms', () => {
    expect(new Set(addressForms).size).toBeGreaterThan(100);
    expect(new Set(harmlessTexts).size).toBeGreaterThan(40);
  });

  it.each(addressForms)('removes the address from text, alone and in a sentence: %j', (form) => {
    for (const text of [
      form,
      `Write to ${form} or call`,
      `联系我们：${form}`,
      `(${form})`,
      `Новости. ${form}, каждый день`,
    ]) {
      const cleaned = clean(text);
      expect(leaksQuill(cleaned), cleaned).toBe(false);
    }
  });

  it.each(addressForms)('removes the address from any part of a URL: %j', (form) => {
    const parts = [
      form,
      encodeURIComponent(form),
      encodeURIComponent(encodeURIComponent(form)),
      form.replaceAll(' ', '+'),
    ];
    for (const part of parts) {
      for (const url of [
        `https://x.example/?to=${part}&a=1`,
        `https://x.example/a/${part}/b`,
        `https://x.example/a#${part}`,
      ]) {
        const result = normalizeUrl(url);
        const kept = 'url' in result ? result.url : '';
        expect(leaksQuill(kept), kept).toBe(false);
      }
    }
  });

  it.each(addressForms)('rejects it as an id: %j', (form) => {
    expect(normalizeId(form)).toHaveProperty('fault');
    expect(normalizeId(`outlet ${form}`)).toHaveProperty('fault');
  });

  it.each(harmlessTexts)('leaves text without an address unchanged: %j', (text) => {
    expect(clean(text)).toBe(text);
    expect(findAddresses(text)).toEqual([]);
  });

  it('is skipped by the quick test only if it would find nothing', () => {
    for (const form of addressForms) expect(mayHoldAddress(form) || !holdsAddress(form), form).toBe(true);
    for (const form of addressForms) expect(findAddresses(form).length === 0 || mayHoldAddress(form), form).toBe(true);
  });

  it('removes each of several addresses, and leaves what is between them', () => {
    expect(scrubAddresses('Ann a@x.example, Bob b [at] x [dot] example; Cy cy at x.example!')).toBe(
      'Ann  , Bob  ; Cy  !',
    );
  });
});

describe('the id of a dead letter', () => {
  it.each(['jane@quill.example', 'jane@localhost', 'jane at quill.example', 'x'.repeat(2_000)])(
    'is a hash for %j',
    (id) => {
      expect(deadLetterId(id)).toMatch(/^sha256 [\w-]{43}$/);
    },
  );

  it.each(['r0001', 'outlet/daily-herald', 'Правда'])("is the record's own otherwise: %j", (id) => {
    expect(deadLetterId(id)).toBe(id);
  });
});
