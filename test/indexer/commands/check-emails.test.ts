import { describe, expect, it } from 'vitest';
import type { MediaRecord } from '#records/media-record.ts';
import { suppressionKey } from '#records/suppression.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { contentOf, madePatch, madeRecord } from '#testing/made-record.ts';
import { runHere } from '#testing/run-here.ts';
import { startDnsServer } from '#testing/stand-ins/dns-server.ts';
import { useEach } from '#testing/use.ts';

const longAgo = '2020-01-01T00:00:00.000Z';
const recently = new Date(Date.now() - 60_000).toISOString();

describe('the command check-emails', () => {
  const backend = useEach(openEmbeddedForTest);
  const server = useEach(() =>
    startDnsServer({
      'good.example': { MX: ['mail.good.example'] },
      'gmail.com': { MX: ['gmail-smtp-in.l.google.com'] },
      'mailinator.com': { MX: ['mail.mailinator.com'] },
      'null.example': { MX: ['.'] },
      'failing.example': 'SERVFAIL',
      'xn--bcher-kva.example': { MX: ['mail.good.example'] },
    }),
  );
  const run = (...args: string[]) =>
    runHere(['indexer/main.ts', ...args], { DNS_SERVERS: server.address, MASTHEAD_DATA_DIR: backend.stored.dataDir });
  const check = async (...args: string[]) => {
    const { code, stdout, stderr } = await run('check-emails', '--json', ...args);
    return { code, stderr, ...JSON.parse(stdout || '{}') };
  };
  const find = async (id: string) => (await backend.records.find(id)) as MediaRecord;
  const checkedOf = async (id: string) => {
    const { email_status: status, last_verified_at: at } = await find(id);
    return { status, isVerifiedNow: at !== null && at > recently };
  };

  it('sets the status by what DNS and the lists of providers say, and when it was verified', async () => {
    await backend.load([
      madeRecord({ id: 'good', email: 'desk@good.example' }),
      madeRecord({ id: 'idn', email: 'desk@xn--bcher-kva.example', email_status: 'unknown' }),
      madeRecord({ id: 'webmail', email: 'desk@gmail.com' }),
      madeRecord({ id: 'own', email: 'desk@gmail.com', url: 'https://www.gmail.com/' }),
      madeRecord({ id: 'disposable', email: 'desk@mailinator.com', email_status: 'valid' }),
      madeRecord({ id: 'refusing', email: 'desk@null.example', email_status: 'accept_all' }),
      madeRecord({ id: 'unregistered', email: 'desk@none.example', email_status: 'valid', last_verified_at: longAgo }),
      madeRecord({ id: 'probed', email: 'all@good.example', email_status: 'accept_all', last_verified_at: longAgo }),
      madeRecord({ id: 'bounced', email: 'gone@good.example', email_status: 'invalid' }),
      madeRecord({ id: 'without' }),
    ]);
    expect(await check()).toEqual({
      code: 0,
      stderr: '',
      change_set: expect.any(String),
      dry_run: false,
      checked: 9,
      domains: 6,
      found: { takes_mail: 5, webmail: 1, disposable: 1, no_such_domain: 1, no_mail_server: 1, unknown: 0 },
      changed: 7,
      left_out: { suppressed: 0, verified_recently: 0, changed_meanwhile: 0 },
      stopped: null,
    });
    for (const [id, status] of Object.entries({
      ...{ good: 'valid', idn: 'valid', own: 'valid', webmail: 'webmail', disposable: 'disposable' },
      ...{ refusing: 'invalid', unregistered: 'invalid', probed: 'accept_all', bounced: 'invalid' },
    })) {
      expect(await checkedOf(id), id).toEqual({ status, isVerifiedNow: true });
    }
    expect(await checkedOf('without')).toEqual({ status: null, isVerifiedNow: false });
  });

  it('leaves a status, and the date, where DNS does not answer', async () => {
    await backend.load([
      madeRecord({ id: 'known', email: 'a@failing.example', email_status: 'valid', last_verified_at: longAgo }),
      madeRecord({ id: 'new', email: 'b@failing.example' }),
    ]);
    expect(await check()).toMatchObject({ code: 0, found: { unknown: 2 }, changed: 1 });
    expect(await find('known')).toMatchObject({ email_status: 'valid', last_verified_at: longAgo });
    expect(await find('new')).toMatchObject({ email_status: 'unknown', last_verified_at: null });
    expect(await check()).toMatchObject({ changed: 0 });
  });

  it('asks about each domain once, and about nothing but domains', async () => {
    const many = Array.from({ length: 1_200 }, (_, at) => madeRecord({ id: `${at}`, email: `desk${at}@good.example` }));
    await backend.load([madeRecord({ id: 'a', email: 'a@null.example' }), ...many]);
    expect(await check()).toMatchObject({ checked: 1_201, domains: 2 });
    const asked = server.questions.filter((question) => question.startsWith('MX '));
    expect(asked.toSorted()).toEqual(['MX good.example', 'MX null.example']);
    expect(JSON.stringify(server.questions)).not.toContain('desk');
  });

  it('checks the records of a filter, or those verified long ago, and no suppressed ones', async () => {
    await backend.load([
      madeRecord({ id: 'us', country: 'US', email: 'a@good.example' }),
      madeRecord({ id: 'de', country: 'DE', email: 'b@good.example', last_verified_at: recently }),
      madeRecord({ id: 'gone', email: 'c@good.example' }),
    ]);
    await run('suppress', '--record', 'gone');
    await backend.settle();
    expect(await check('--filter', 'country=FR')).toMatchObject({ checked: 0, domains: 0 });
    expect(await check('--filter', 'country=DE')).toMatchObject({ checked: 1 });
    expect(await check('--older-than', '1')).toMatchObject({
      checked: 1,
      left_out: { suppressed: 1, verified_recently: 1, changed_meanwhile: 0 },
    });
    expect(await find('us')).toMatchObject({ email_status: 'valid' });
    expect(await find('gone')).toMatchObject({ email_status: null, last_verified_at: null });
    expect((await run('check-emails', '--filter', 'countr=DE')).code).toBe(2);
  });

  it('changes nothing in a dry run, and says what it would change', async () => {
    await backend.load([madeRecord({ id: 'a', email: 'a@none.example' })]);
    expect(await check('--dry-run')).toMatchObject({ change_set: null, dry_run: true, changed: 1 });
    expect(await find('a')).toMatchObject({ email_status: null, last_verified_at: null });
    expect(await backend.changes.list(1)).toEqual([]);
    const { stdout } = await run('check-emails', '--dry-run');
    expect(stdout).toBe(
      [
        '1 contact at 1 domain checked.',
        '       1 at a domain that does not exist',
        'The status of 1 contact would change.',
        'Nothing was changed: this was a dry run.\n',
      ].join('\n'),
    );
  });

  it('checks the address of each contact, and changes nobody else', async () => {
    const one = { name: 'Ann One', email: 'ann@none.example' };
    const two = { name: 'Bob Two', email: 'bob@good.example', email_status: 'unknown' as const };
    await backend.records.merge([
      { ...madePatch({ id: 'a', kind: 'outlet', name: 'Daily' }), contacts: { patches: [one, two], areAll: false } },
    ]);
    expect(await check()).toMatchObject({ checked: 2, domains: 2, changed: 2 });
    const { contacts } = (await backend.records.find('a')) as MediaRecord;
    expect(contacts.map(({ email, email_status }) => `${email} ${email_status}`).toSorted()).toEqual([
      'ann@none.example invalid',
      'bob@good.example valid',
    ]);
  });

  it('is in the history and the audit log, and can be undone', async () => {
    const record = madeRecord({ id: 'a', email: 'a@none.example', email_status: 'valid', last_verified_at: longAgo });
    await backend.load([record]);
    const { change_set: id } = await check();
    expect((await run('show', 'a', '--history')).stdout).toMatch(
      new RegExp(
        `changed by \\S+ \\(check-emails ${id}\\)\n  email_status: valid → invalid\n  last_verified_at: ${longAgo}`,
      ),
    );
    expect(await backend.audit.list(2)).toMatchObject([
      { action: 'check-emails', subject: 'all records', outcome: `1 contact checked, 1 changed; change set ${id}` },
      { action: 'check-emails', subject: 'all records', outcome: null },
    ]);
    expect((await run('imports', 'undo', id)).code).toBe(0);
    expect(contentOf(await find('a'))).toEqual(contentOf(record));
  });

  it('leaves an address that an import changes while DNS is asked', async () => {
    await backend.load(['a', 'b', 'c'].map((id) => madeRecord({ id, email: `${id}@slow.example` })));
    server.onQuestion = async (question) => {
      if (question !== 'MX slow.example') return;
      await backend.records.merge([madeRecord({ id: 'a', email: 'a@good.example', email_status: 'accept_all' })]);
      await backend.records.remove(['c']);
    };
    expect(await check()).toMatchObject({ checked: 1, left_out: { changed_meanwhile: 2 } });
    expect(await find('a')).toMatchObject({
      email: 'a@good.example',
      email_status: 'accept_all',
      last_verified_at: null,
    });
    expect(await find('b')).toMatchObject({ email_status: 'invalid' });
    expect(await backend.records.find('c')).toBeNull();
  });

  it('writes no denial of a resolver that turned bad on the way', async () => {
    const records = Array.from({ length: 100 }, (_, at) =>
      madeRecord({ id: `d${at}`, email: `desk@d${at}.example`, email_status: 'accept_all', last_verified_at: longAgo }),
    );
    await backend.load(records);
    for (const { id } of records) server.zone[`${id}.example`] = { MX: ['mail.good.example'] };
    server.onQuestion = () => {
      if (server.questions.length === 12) server.zone = {};
    };
    const stopped = await check();
    expect(stopped).toMatchObject({
      code: 1,
      found: { no_such_domain: 0 },
      changed: 0,
      stopped: expect.stringContaining('denies that com exists'),
    });
    expect(stopped.stderr).toContain('What was checked until then is kept.');
    expect((await backend.changes.find(stopped.change_set))?.changes).toBe(0);
    expect((await backend.audit.list(1))[0]?.outcome).toContain('stopped early: The DNS resolver');
  });

  it('stops with a message if the resolver does not answer, before it changes anything', async () => {
    await backend.load([madeRecord({ id: 'a', email: 'desk@good.example' })]);
    server.zone.com = 'REFUSED';
    expect(await run('check-emails')).toEqual({
      code: 1,
      stdout: '',
      stderr: `masthead: The DNS resolver does not answer (EREFUSED). Asked: ${server.address}. Set DNS_SERVERS to another one, or try again later.\n`,
    });
    expect(await backend.changes.list(1)).toEqual([]);
  });

  it('leaves a record that is suppressed while DNS is asked', async () => {
    const records = ['a@one.example', 'b@two.example', 'c@three.example'].map((email) =>
      madeRecord({ id: email.slice(0, 1), email, email_status: 'valid' }),
    );
    await backend.load(records);
    server.onQuestion = async (question) => {
      if (question !== 'MX one.example') return;
      const keys = [suppressionKey('address', 'a@one.example'), suppressionKey('domain', 'two.example')];
      await backend.suppressions.add(keys.map((key) => ({ key, reason: null, addedAt: new Date().toISOString() })));
    };
    const checked = await check();
    expect(checked).toMatchObject({ checked: 1, changed: 1, left_out: { suppressed: 2, changed_meanwhile: 0 } });
    expect(await backend.changes.find(checked.change_set)).toMatchObject({ changes: 1 });
    for (const record of records.slice(0, 2)) {
      expect(contentOf(await backend.records.find(record.id))).toEqual(contentOf(record));
    }
  });
});
