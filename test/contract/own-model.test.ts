import { afterEach, describe, expect, it } from 'vitest';
import { embedText } from '#search/meaning/embed.ts';
import { EmbeddingsEndpoint } from '#search/meaning/embeddings-endpoint.ts';
import { OwnModel } from '#search/meaning/own-model.ts';
import { searchByMeaning } from '#search/meaning/search-by-meaning.ts';
import { firstPage } from '#search/search-query.ts';
import { understand } from '#search/understanding/understand.ts';
import { testBackends } from '#testing/backends.ts';
import { madeRecord } from '#testing/made-record.ts';
import { startStandIn, type ToolReply } from '#testing/stand-ins/stand-in-server.ts';
import { useOne } from '#testing/use.ts';

const descriptions = ['Paying off loans', 'Saving for old age', 'Credit cards', 'House prices'];

function money(place: number, description = descriptions[place] ?? '') {
  const id = `money-${place}`;
  return madeRecord({ id, kind: 'podcast', name: `Money ${place}`, description, email: 'jane@money.example' });
}

const key = 'sk-of-the-model';
const never = new AbortController().signal;

describe.each(testBackends)("a model of the operator's own, $name", ({ open }) => {
  const backend = useOne(open, (backend) => backend.load(descriptions.map((text, place) => money(place, text))));
  let reply: (texts: readonly string[]) => ToolReply;
  let sent: string[];
  let failures: string[];
  let day = 0;
  let looks = 0;

  const server = useOne(() =>
    startStandIn(({ url, headers, body }) => {
      const { model, input } = body as { model: string; input: string[] };
      if (url.pathname !== '/v1/embeddings' || headers.authorization !== `Bearer ${key}`)
        return { status: 401, body: {} };
      sent.push(...input);
      return model === 'small' ? reply(input) : { status: 404, body: {} };
    }, {}),
  );

  afterEach(() => {
    day += 1;
  });

  /** Another model each time has no vectors yet. */
  function ownModel({ textsPerDay = 1_000, keyOfModel = key } = {}): OwnModel {
    sent = [];
    failures = [];
    reply = meanings;
    return new OwnModel({
      endpoint: new EmbeddingsEndpoint({ url: `${server.url}/v1`, model: 'small', key: keyOfModel }),
      ...backend,
      textsPerDay,
      // Each look is later than a model that did not answer is left alone.
      now: () => new Date(Date.UTC(2026, 0, 1 + day) + looks++ * 11_000),
      onFailure: (of, reason) => void failures.push(`${of}: ${reason}`),
    });
  }

  /** What this model says: prices are what is looked for, and nothing else is. */
  function meanings(texts: readonly string[]): ToolReply {
    const data = texts.map((text, index) => ({
      index,
      embedding: text.includes('prices') || text === 'getting out of debt' ? [1, 0] : [-1, 0.1],
    }));
    return { status: 200, body: { data: data.toReversed() } };
  }

  async function found(own: OwnModel | null) {
    const text = understand('getting out of debt');
    const page = firstPage(10);
    const { records } = await searchByMeaning(backend.index, true, own).search(
      { text, filters: [], match: 'meaning' },
      page,
      'masked',
    );
    return records.map(({ id }) => id);
  }

  it('is asked once for each record, and orders what is found', async () => {
    expect(embedText('getting out of debt')).not.toBeNull();
    const own = ownModel();
    const withoutVectors = await found(null);
    expect(withoutVectors[0]).toBe('money-0');
    expect(await found(own)).toEqual(withoutVectors);
    expect(await own.fill(never)).toEqual({ made: 4, waiting: 0, reason: null });
    expect(await own.fill(never)).toEqual({ made: 0, waiting: 0, reason: null });
    expect(sent.filter((text) => text.includes('Money'))).toHaveLength(4);
    await expect.poll(async () => (await found(own))[0]).toBe('money-3');
    expect(sent.join(' ')).not.toContain('jane');

    await backend.load([money(1, 'Prices, prices')]);
    expect(await own.fill(never)).toMatchObject({ made: 1, waiting: 0 });
  });

  it('holds nothing up while it is away, and goes on where it stopped', async () => {
    await backend.load([money(2, 'Bank accounts')]);
    const own = ownModel();
    reply = () => ({ status: 400, body: {} });
    const waiting: number[] = [];
    const summary = await own.fill(never, (count) => waiting.push(count));
    expect(summary).toEqual({ made: 0, waiting: 1, reason: 'the embeddings endpoint answered with status 400' });
    expect(waiting.at(-1)).toBe(1);
    expect(await found(own)).toHaveLength(4);
    reply = meanings;
    expect(await own.fill(never)).toEqual({ made: 1, waiting: 0, reason: null });
  });

  it('is read no further than 32 MB, and its failures are reported', async () => {
    await backend.load([money(1, 'Pensions')]);
    const own = ownModel();
    reply = () => ({ status: 200, body: ' '.repeat(33 * 1024 * 1024) });
    expect(await found(own)).toEqual(await found(null));
    expect((await own.fill(never))?.reason).toBe('the answer of the embeddings endpoint is longer than 32 MB');
    const tooLong = 'the answer of the embeddings endpoint is longer than 32 MB';
    // On a busy machine, a query is given up before that.
    expect(failures).toEqual([expect.stringMatching(/^query: /), `records: ${tooLong}`]);
  });

  it('is not asked for more texts in a day than allowed', async () => {
    await backend.load([money(0, 'Loans'), money(1)]);
    const own = ownModel({ textsPerDay: 1 });
    expect(await own.fill(never)).toMatchObject({ made: 0, waiting: 2, reason: expect.stringContaining('_PER_DAY') });
    expect(sent).toEqual([]);
    day += 1;
    expect(await ownModel({ textsPerDay: 2 }).fill(never)).toMatchObject({ made: 2, waiting: 0 });
  });

  it('says of a wrong key what was answered, not the key', async () => {
    await backend.load([money(3, 'Rents')]);
    const { reason } = (await ownModel({ keyOfModel: 'sk-wrong' }).fill(never)) ?? {};
    expect(reason).toBe('the embeddings endpoint answered with status 401');
  });
});
