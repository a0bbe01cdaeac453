import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSuppressions } from '#indexer/records/read-suppressions.ts';
import { suppressionKey } from '#records/suppression.ts';
import { useFolder } from '#testing/use.ts';

describe('the suppressions that a command line names', () => {
  const folder = useFolder();

  async function readFrom(content: string | Uint8Array): Promise<string[]> {
    const from = join(folder, 'list.txt');
    await writeFile(from, content);
    return (await readSuppressions({ from })).named;
  }

  it('are read from options and a file, each once', async () => {
    const from = join(folder, 'more.txt');
    await writeFile(
      from,
      '\ufeff# of May\r\n\r\n  Address   Jane <jane@x.org> \rdomain www.x.org\nrecord an id with spaces',
    );
    const { named, carried } = await readSuppressions({
      address: ['JANE@x.org', 'joe@x.org'],
      domain: ['x.org'],
      from,
    });
    expect(carried.size).toBe(0);
    expect(named).toEqual([
      suppressionKey('address', 'jane@x.org'),
      suppressionKey('address', 'joe@x.org'),
      'domain x.org',
      'record an id with spaces',
    ]);
  });

  it.each([
    [{}, /nothing to suppress.*ids/],
    [{ from: '/no/such/file' }, /\/no\/such\/file cannot be read \(ENOENT\)/],
    [{ record: ['4'], domain: ['a.example', 'co.uk'] }, /--domain no\. 2: .*example\.co\.uk/],
    [{ record: [''] }, /--record no\. 1: the id is empty/],
  ])('are all refused if %j is wrong, with what to use', async (given, message) => {
    await expect(readSuppressions(given)).rejects.toThrow(message);
  });

  it('are refused with every faulty line by number, and no address', async () => {
    const reading = readFrom('record 4\njane@gone.example\ndomain com\naddress joe\nadress jane@x.org\naddress');
    await expect(reading).rejects.toThrow(/line 2: .*line 3: .*line 4: .*line 5: .*line 6: /s);
    await expect(reading).rejects.not.toThrow(/jane|joe/);
  });

  it('of another store are refused if they were changed', async () => {
    const reading = readFrom(
      [
        '{"key":"address jane@gone.example","reason":null}',
        '{"key":"domain https://x.org/","reason":null}',
        '{"key":"person 1"}',
        '{"key":"record 4","reason":"for jane@gone.example"}',
        '{"key":"record 4"',
      ].join('\n'),
    );
    await expect(reading).rejects.toThrow(
      /line 1: .*address.*line 2: .*domain.*line 3: .*kind.*line 4: .*reason.*line 5: /s,
    );
    await expect(reading).rejects.not.toThrow(/jane/);
  });

  it('are refused if a file is empty or not text', async () => {
    await expect(readFrom('# nothing\n')).rejects.toThrow(/nothing to suppress/);
    await expect(readFrom(Uint8Array.of(0xff, 0xfe, 0x00))).rejects.toThrow(/UTF-8/);
  });
});
