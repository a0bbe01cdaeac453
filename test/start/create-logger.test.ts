import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateApiKey } from '#accounts/api-key.ts';
import { Problem } from '#src/problem.ts';
import { createLogger } from '#src/start/create-logger.ts';
import { anyCharacter, ofForm } from '#testing/form.ts';

function logged(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(createLogger('trace', { write: (line) => void lines.push(line) }));
  return lines.join('');
}

describe('the log', () => {
  const key = generateApiKey();
  const password = 'hunter2';

  it.each([
    ['a message', `failed for jane.doe+news@paper.example with ${key}`],
    ['a URL', `GET /search?q=jane.doe%2Bnews%40paper.example&key=${key}`],
    ['a connection string', `connect mongodb://admin:${password}@db:27017/x`],
    ['a line after a line break', `near:\njane.doe@paper.example\t${key}`],
    ['other letters', 'nicht erreichbar: müller@zeitung.example'],
    ['a quoted text', `"jane.doe@paper.example" and '${key}'`],
  ])('hides keys, passwords and addresses in %s, anywhere', (_, text) => {
    const line = logged((log) => {
      log.info(text);
      log.info({ anything: { deep: [text] } }, 'x');
      log.error({ err: new Problem('search_unavailable', 'gone', {}, { cause: new Error(text) }) }, 'x');
    });
    expect(line).not.toMatch(/jane\.doe|paper\.example|müller|hunter2/);
    expect(line).not.toContain(key);
    for (const one of line.trim().split('\n')) expect(() => JSON.parse(one)).not.toThrow();
  });

  it.each([
    ['a claim token in a URL', 'GET /api/v1/orders/ord_1?claim_token=lvoTsWWnkN-OgW8U8gb72X', 'lvoTsWWnkN'],
    ['one whose = is encoded', '/login?next=/orders/ord_1?claim_token%3DlvoTsWWnkN-OgW8U8gb72X', 'lvoTsWWnkN'],
    ['a key of Stripe', 'Invalid API Key provided: sk_live_51Habcdef', '51Habcdef'],
    ['a restricted key of Stripe', 'rk_test_51Habcdef was refused', '51Habcdef'],
    ['a signing secret of Stripe', 'no signature under whsec_51Habcdef', '51Habcdef'],
  ])('hides %s', (_, text, secret) => {
    const line = logged((log) => {
      log.info(text);
      log.error({ err: new Error(text), deep: [text] }, 'x');
    });
    expect(line).toContain('[secret]');
    expect(line).not.toContain(secret);
  });

  it('leaves what is not a secret', () => {
    const text = 'node_modules/@elastic/transport/lib/Transport.js:3:12 @handle a@b 5 @ 3 mh_ 100%40';
    expect(JSON.parse(logged((log) => log.info(text)))).toMatchObject({ level: 'info', msg: text });
  });

  it('stays valid JSON whatever is logged', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.string({ unit: anyCharacter }), (before, after) => {
        const line = logged((log) => log.info({ text: `${before}jane@paper.example${after}` }, before));
        expect(() => JSON.parse(line)).not.toThrow();
        expect(line).not.toContain('jane@paper.example');
      }),
      { numRuns: ofForm(200, 5_000) },
    );
  });
});
