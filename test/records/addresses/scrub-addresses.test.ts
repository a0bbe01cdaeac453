import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAddresses, maskAddresses, scrubAddresses } from '#records/addresses/scrub-addresses.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { normalizeUrl } from '#records/normalize/normalize-url.ts';
import { deadLetterId, normalizeId } from '#records/normalize/normalize-values.ts';
import { addressForms, askingTexts, harmlessTexts, leaksQuill } from './address-forms.ts';

const clean = (text: string) => cleanText(text, 300, () => undefined);

describe('the search for email addresses', () => {
  it('knows a hundred forms, and more than sixty sentences without an address', () => {
    expect(new Set(addressForms).size).toBeGreaterThan(100);
    expect(new Set(harmlessTexts).size).toBeGreaterThan(60);
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

  it.each(askingTexts)('removes what a text asks to write to: %j', (text) => {
    const cleaned = clean(text);
    expect(leaksQuill(cleaned), cleaned).toBe(false);
  });

  it('leaves no address in a sentence, wherever and however it stands there', () => {
    const part = fc.stringMatching(/^[a-z][a-z0-9]{0,9}(?:[._+-][a-z0-9]{1,9}){0,2}$/);
    const host = fc.stringMatching(/^(?:[a-z][a-z0-9]{0,8}\.){1,3}(?:com|org|example|co\.uk|de)$/);
    const spellings = [
      '@',
      '%40',
      '%2540',
      '&#64;',
      '&commat;',
      '\\u0040',
      '＠',
      '\u200b@',
      '(at)',
      ' [at] ',
      ' arroba ',
    ];
    const sign = fc.constantFrom(...spellings);
    const dot = fc.constantFrom('.', '[dot]', ' (punto) ', '&period;', '%2E', '．');
    const sentence = fc.constantFrom(...harmlessTexts.filter((text) => !/arroba|chiocciola/i.test(text)));
    fc.assert(
      fc.property(part, host, sign, dot, sentence, sentence, (local, domain, at, point, before, after) => {
        const address = local + at + domain.replaceAll('.', point);
        const cleaned = cleanText(`${before} ${address} ${after}`, 5_000);
        expect(cleaned).not.toContain(address.replaceAll(/[\u200b]/g, ''));
        expect(cleaned.replaceAll(' ', '')).toHaveLength(`${before}${after}`.replaceAll(' ', '').length);
      }),
    );
  });

  it('leaves none in an id or a path either', () => {
    for (const form of addressForms) expect(leaksQuill(maskAddresses(form)), form).toBe(false);
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

  it('removes each of several addresses, and leaves what is between them', () => {
    expect(scrubAddresses('Ann a@x.example, Bob b [at] x [dot] example; Cy cy at x dot example!')).toBe(
      'Ann  , Bob  ; Cy  !',
    );
  });
});

describe('the id of a dead letter', () => {
  it.each(['jane@quill.example', 'jane@localhost', 'jane at quill dot example', 'x'.repeat(2_000)])(
    'is a hash for %j',
    (id) => {
      expect(deadLetterId(id)).toMatch(/^sha256 [\w-]{43}$/);
    },
  );

  it.each(['r0001', 'outlet/daily-herald', 'Правда'])("is the record's own otherwise: %j", (id) => {
    expect(deadLetterId(id)).toBe(id);
  });
});
