import { expect, it } from 'vitest';
import { runService } from '../../../test/http/run-service.ts';
import { openEmbeddedForTest } from '../../../test/support/backends.ts';
import { madeRecord } from '../../../test/support/made-record.ts';
import { createMasthead, MastheadError } from '../src/index.ts';
import { failureOf } from './outcomes.ts';

it('the TypeScript client gives the 10,000 records that a search reaches without a key, then an error that names keys', async () => {
  const backend = await openEmbeddedForTest();
  const service = await runService(backend);
  try {
    await backend.load(Array.from({ length: 10_001 }, (_, index) => madeRecord({ id: `outlet-${index}` })));
    const masthead = createMasthead({ baseUrl: service.url });
    let count = 0;
    const readAll = async () => {
      for await (const { id } of masthead.searchAll({ fields: ['id'] })) if (id !== '') count += 1;
    };
    const error = await failureOf(readAll());
    expect(count).toBe(10_000);
    expect(error).toBeInstanceOf(MastheadError);
    expect(error).toMatchObject({ code: 'page_too_deep', message: expect.stringContaining('with a key') });
  } finally {
    await service.close();
    await backend.close();
  }
});
