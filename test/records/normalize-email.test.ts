import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizeEmail } from '#records/normalize/normalize-email.ts';
import { ofForm } from '#testing/form.ts';
import { hostileText } from '../text/hostile-text.ts';

describe('an email address', () => {
  it.each(['desk@x.example; news@x.example', 'desk@x.example,news@x.example', 'desk@x.example | N <news@x.example>'])(
    'of several is the first, with a note: %s',
    (text) => {
      expect(normalizeEmail(text)).toEqual({ email: 'desk@x.example', isFirstOfSeveral: true });
    },
  );

  it('stays the same when read again', () => {
    fc.assert(
      fc.property(fc.oneof(hostileText, fc.emailAddress()), (text) => {
        const result = normalizeEmail(text);
        if ('email' in result) {
          expect(normalizeEmail(result.email)).toEqual({ email: result.email, isFirstOfSeveral: false });
        }
      }),
      { numRuns: ofForm(200, 5_000) },
    );
  });
});
