import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holdsAddress, maskAddresses, scrubAddresses } from '#records/addresses/scrub-addresses.ts';
import { cleanText } from '#records/normalize/clean-text.ts';
import { normalizeUrl } from '#records/normalize/normalize-url.ts';
import { deadLetterId, normalizeId } from '#records/normalize/normalize-values.ts';
import texts from './address-forms.json' with { type: 'json' };

/** The ways in which people and programs write an address in real descriptions, all for the same one: quill@harbour.example. */
const addressForms = Object.values(texts.forms).flat();
const clean = (text: string) => cleanText(text, 300, () => undefined);
/** Whether anything of the local part of the forms is left, read either way. */
const leaksQuill = (text: string) => /uill|lliu|ｕｉｌｌ|&#105;&#108;/iu.test(text);

describe('the search for email addresses', () => {
  it.each(addressForms)(
    'removes the address from texts, paths and all parts of a URL, and rejects it as an id: %j',
    (form) => {
      expect(addressForms.length).toBeGreaterThan(100);
      const sentences = [`Write to ${form} or call`, `联系我们：${form}`, `(${form})`, `Новости. ${form}, каждый день`];
      const twice = encodeURIComponent(encodeURIComponent(form));
      const parts = [form, encodeURIComponent(form), twice, form.replaceAll(' ', '+')];
      const urls = parts
        .flatMap((part) => [`?to=${part}&a=1`, `a/${part}/b`, `a#${part}`])
        .map((end) => {
          const result = normalizeUrl(`https://x.example/${end}`);
          return 'url' in result ? result.url : '';
        });
      for (const kept of [...[form, ...sentences].map(clean), maskAddresses(form), ...urls]) {
        expect(leaksQuill(kept), kept).toBe(false);
      }
      for (const id of [form, `outlet ${form}`]) expect(normalizeId(id)).toHaveProperty('fault');
    },
  );

  it.each(texts.asking)('removes what a text asks to write to: %j', (text) => {
    const cleaned = clean(text);
    expect(leaksQuill(cleaned), cleaned).toBe(false);
  });

  it('leaves no address in a sentence, wherever and however it stands there', () => {
    const part = fc.stringMatching(/^[a-z][a-z0-9]{0,9}(?:[._+-][a-z0-9]{1,9}){0,2}$/);
    const host = fc.stringMatching(/^(?:[a-z][a-z0-9]{0,8}\.){1,3}(?:com|org|example|co\.uk|de)$/);
    const spellings = '@|%40|%2540|&#64;|&commat;|\\u0040|＠|\u200b@|(at)| [at] | arroba ';
    const sign = fc.constantFrom(...spellings.split('|'));
    const dot = fc.constantFrom('.', '[dot]', ' (punto) ', '&period;', '%2E', '．');
    const sentence = fc.constantFrom(...texts.harmless.filter((text) => !/arroba|chiocciola/i.test(text)));
    fc.assert(
      fc.property(part, host, sign, dot, sentence, sentence, (local, domain, at, point, before, after) => {
        const address = local + at + domain.replaceAll('.', point);
        const cleaned = cleanText(`${before} ${address} ${after}`, 5_000);
        expect(cleaned).not.toContain(address.replaceAll(/[\u200b]/g, ''));
        expect(cleaned.replaceAll(' ', '')).toHaveLength(`${before}${after}`.replaceAll(' ', '').length);
      }),
    );
  });

  it.each(texts.harmless)('leaves text without an address unchanged: %j', (text) => {
    expect(clean(text)).toBe(text);
    expect(holdsAddress(text)).toBe(false);
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
