import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createService, shownIds, type TestService } from '#test/http/test-service.ts';
import { engines } from '#testing/engines.ts';
import { madeRecord } from '#testing/made-record.ts';
import { openProduction, type Production } from '#testing/open-production.ts';
import { runHere } from '#testing/run-here.ts';

const { mongodb, elasticsearch } = engines;

describe.skipIf(!mongodb || !elasticsearch)('suppress and delete in production', () => {
  let backend: Production;
  let service: TestService;

  beforeEach(async () => {
    backend = await openProduction({ mongodb: mongodb ?? '', elasticsearch: elasticsearch ?? '' });
    await backend.records.merge([
      madeRecord({ id: '1', name: 'Alpha Herald', email: 'Jane.Doe@gone.example', country: 'US' }),
      madeRecord({ id: '2', name: 'Beta Herald', url: 'https://news.gone.example', country: 'US' }),
      madeRecord({ id: '3', name: 'Gamma Herald', country: 'FR' }),
    ]);
    await backend.reindex();
    service = createService(backend);
  });
  afterEach(() => backend.close());

  async function run(...args: string[]) {
    const { code: exit, stdout, stderr } = await runHere(['indexer/main.ts', ...args], backend.settings);
    expect(stdout + stderr).not.toMatch(/jane/i);
    expect({ exit, stderr: exit === 0 ? '' : stderr }).toEqual({ exit: 0, stderr: '' });
    return stdout;
  }

  const shown = () => shownIds(service, '123');

  it('take effect when the command returns without a sync, through a rebuild and a rollback', async () => {
    expect(await run('suppress', '--address', 'jane.doe@gone.example', '--json')).toBe(
      '{"added":1,"known":0,"hidden":1,"unknown":[]}\n',
    );
    expect(await shown()).toBe('23');
    await backend.records.merge([{ id: '1', name: 'Alpha Herald Tribune' }]);
    await run('reindex', '--allow-shrink');
    expect(await shown()).toBe('23');
    await run('suppress', '--domain', 'gone.example');
    expect(await shown()).toBe('3');
    await run('rollback');
    expect(await shown()).toBe('3');
    await run('unsuppress', '--address', 'jane.doe@gone.example', '--domain', 'gone.example');
    expect(await shown()).toBe('123');
    await run('delete', '2');
    expect(await shown()).toBe('13');
    expect(await backend.differences()).toEqual([]);
    expect((await backend.audit.list(100)).map(({ action, subject }) => `${action} ${subject}`)).toContainEqual(
      expect.stringMatching(/^suppress address [\w-]{8}$/),
    );
  });
});
