import { describe, expect, it } from 'vitest';
import { isWellFormedApiKey } from '#accounts/api-key.ts';
import type { StoredKey } from '#accounts/stored-key.ts';
import { openEmbedded } from '#backends/embedded/open-embedded.ts';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { readFolder } from '#testing/folder-files.ts';
import { startService } from '#testing/processes.ts';
import { runHere } from '#testing/run-here.ts';
import { useFolder, useOne } from '#testing/use.ts';

const storedKey: Omit<StoredKey, 'hash' | 'prefix'> = {
  plan: { tier: 'pro', expiresAt: '2099-01-01T00:00:00.000Z' },
  email: null,
  orderId: null,
  createdAt: '2026-01-01T00:00:00.000Z',
  revokedAt: null,
};

/* An operator's commands for keys, next to a server in another process on the same folder. */
describe('npm run admin -- keys', () => {
  const folder = useFolder();
  const service = useOne(async () => {
    await makeDataFolder(folder);
    return startService({ MASTHEAD_DATA_DIR: folder });
  });
  const admin = (...args: string[]) => runHere(['admin/main.ts', 'keys', ...args], { MASTHEAD_DATA_DIR: folder });
  const statusOf = async (key: string) =>
    (await fetch(`${service.url}/api/v1/me`, { headers: { Authorization: `Bearer ${key}` } })).status;
  const listed = async () => JSON.parse((await admin('list', '--json')).stdout);

  it('issue prints only the key on standard output, and says on standard error that it is shown once', async () => {
    const given = 'issue --tier pro --days 30 --email ada@buyer.example'.split(' ');
    const { code, stdout, stderr } = await admin(...given);
    expect(code).toBe(0);
    expect(isWellFormedApiKey(stdout.trim())).toBe(true);
    expect(stderr).toMatch(/^Created a pro key, valid until .*shown only once/);
    expect(stderr).not.toContain(stdout.trim());
    expect(await statusOf(stdout.trim())).toBe(200);
  });

  it('stores the key in no file', async () => {
    const { stdout } = await admin('issue', '--tier', 'premium', '--days', '1');
    const key = stdout.trim();
    const files = [...(await readFolder(folder)).values()];
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) expect(file.includes(key)).toBe(false);
    expect(files.some((file) => file.includes(key.slice(0, 11)))).toBe(true);
  });

  it('list shows prefix, plan, status and times, newest first, with masked addresses', async () => {
    const [newest, oldest] = await listed();
    expect(Object.keys(newest).join(' ')).toBe(
      'prefix tier status email order_id created_at expires_at revoked_at renewed_by last_used_at further_keys',
    );
    expect(newest).toMatchObject({ tier: 'premium', status: 'active', email: null, revoked_at: null });
    expect(oldest).toMatchObject({ tier: 'pro', status: 'active', email: 'a***@buyer.example' });
    expect(Date.parse(oldest.expires_at) - Date.parse(oldest.created_at)).toBe(30 * 24 * 60 * 60 * 1000);
    const table = (await admin('list')).stdout;
    expect(table).toMatch(/^prefix +tier +status +email/);
    expect(table).toContain(newest.prefix);
    expect(table).not.toContain('ada@buyer.example');
  });

  it('revoke ends a key on the running server at once, and says so if repeated', async () => {
    const key = (await admin('issue', '--tier', 'pro', '--days', '30')).stdout.trim();
    const prefix = key.slice(0, 11);
    expect(await statusOf(key)).toBe(200);
    expect(await admin('revoke', prefix)).toMatchObject({ code: 0, stdout: `Revoked ${prefix}.\n` });
    expect(await statusOf(key)).toBe(401);
    const again = await admin('revoke', prefix);
    expect(again.code).toBe(0);
    expect(again.stdout).toMatch(/was already revoked at/);
    expect((await listed()).find((row: { prefix: string }) => row.prefix === prefix).status).toBe('revoked');
  });

  it('list and revoke further keys, too', async () => {
    const key = (await admin('issue', '--tier', 'pro', '--days', '30')).stdout.trim();
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ name: 'Notebook', scopes: ['search'] });
    const answer = await fetch(`${service.url}/api/v1/me/keys`, { method: 'POST', headers, body });
    const { api_key: made, key_prefix: prefix } = JSON.parse(await answer.text());
    expect((await listed())[0].further_keys).toEqual([prefix]);
    expect(await admin('revoke', prefix)).toMatchObject({ code: 0, stdout: `Revoked ${prefix}.\n` });
    expect([await statusOf(made), await statusOf(key), (await listed())[0].further_keys]).toEqual([401, 200, []]);
  });

  it('revoke changes nothing if the prefix matches several keys or none', async () => {
    const store = openEmbedded(folder);
    for (const prefix of ['mh_Twin0001', 'mh_Twin0002']) await store.keys.save({ ...storedKey, prefix, hash: prefix });
    await store.close();
    const before = await listed();
    const unknown = await admin('revoke', `mh_${'0'.repeat(8)}`);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toMatch(/no key starts with mh_00000000/);
    const ambiguous = await admin('revoke', 'mh_Twin');
    expect(ambiguous.code).toBe(1);
    expect(ambiguous.stderr).toMatch(
      /several keys start with mh_Twin: mh_Twin000[12], mh_Twin000[12]\. None was revoked/,
    );
    expect(await listed()).toEqual(before);
  });

  it.each([
    [['issue', '--tier', 'gold', '--days', '30'], /Allowed choices are pro, premium/],
    [['issue', '--tier', 'pro'], /required option '--days/],
    [['issue', '--tier', 'pro', '--days', '0'], /whole number from 1 to 3650/],
    [['issue', '--tier', 'pro', '--days', '30', '--email', 'nobody'], /a plain address/],
    [['revoke', ''], /start of a key/],
  ])('%j is refused with a hint', async (args, message) => {
    const { code, stdout, stderr } = await admin(...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
  });
});
