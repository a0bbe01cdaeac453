import type { Express } from 'express';
import request from 'supertest';
import type { z } from 'zod';
import { apiKeyPrefix, generateApiKey, hashApiKey } from '#accounts/api-key.ts';
import type { Plan, Tier } from '#accounts/plans.ts';
import { endKey } from '#accounts/stored-key.ts';
import { UsageMeter } from '#accounts/usage.ts';
import type { AppDeps, RateLimits } from '#http/app-deps.ts';
import { listEndpoints } from '#http/routes.ts';
import type { MediaRecord } from '#records/media-record.ts';
import type { SearchIndex } from '#search/search-index.ts';
import { createApp } from '#src/app.ts';
import { listFormats } from '#src/encodings/formats.ts';
import { leadTools } from '#src/lead-tools/lead-tools.ts';
import { openLeadTools } from '#src/lead-tools/open-tool.ts';
import { loadConfig } from '#src/settings/config.ts';
import { createLogger } from '#src/start/create-logger.ts';
import { type Backends, listMissing } from '#src/start/open-backends.ts';
import { listWebFiles } from '#src/start/web-files.ts';
import { openEmbeddedForTest } from '#testing/backends.ts';
import { late, useOne } from '#testing/use.ts';
import { daysAfter } from '#text/days.ts';
import { withMethods } from '#text/with-methods.ts';

export const publicUrl = 'https://masthead.example';
export const pepper = 'a pepper for tests only, 32 or more';

/** Where nothing listens. */
const nowhere = 'http://127.0.0.1:9';

/** Limits that no test hits by accident. */
export const unlimited: RateLimits = { anonymous: 100_000, pro: 100_000, premium: 100_000, checkout: 100_000 };

/** The moment at which tests take place, unless they say another. */
export const testNow = new Date('2026-11-21T12:00:00.000Z');

/** The whole HTTP layer on a real backend, with its log. */
export interface TestService {
  app: Express;
  /** What the API reference says of an answer, such as that of `GET /api/v1/me`. */
  shapeOf(key: string): z.ZodType;
  /** Every line logged so far, at level trace. */
  logged: string[];
  /** The logged lines of level error and above. */
  faults(): string[];
  /** A request with a key or without one. */
  get(path: string, key?: string): request.Test;
  post(path: string, key?: string): request.Test;
  /** Saves a key whose plan runs this many more days; returns the key. */
  issueKey(tier: Tier, days?: number): Promise<string>;
  revoke(key: string): Promise<void>;
  /** Writes the counts of use that wait for seconds: another test may then have the backend, with nothing in it. */
  end(): Promise<void>;
}

export function createService(backend: Backends, given: Partial<AppDeps> = {}): TestService {
  const logged: string[] = [];
  const deps: AppDeps = {
    ...backend,
    index: withFrozenAnswers(backend.index),
    pepper,
    publicUrl,
    returnOrigins: ['https://shop.example'],
    contactEmail: 'listings@masthead.example',
    operator: loadConfig({}).operator,
    webFiles: listWebFiles(),
    rateLimits: unlimited,
    // Each service counts for itself, so that tests which share a backend do not count for each other.
    sharedCounter: null,
    formats: listFormats(leadTools),
    // Nothing that a test pushes by accident leaves this machine.
    leadTools: openLeadTools({ leadToolBases: { instantly: nowhere, smartlead: nowhere } }),
    usage: new UsageMeter(backend.usage, { log: { warn: () => {} }, now: given.now ?? (() => testNow) }),
    pushMaxLeads: 10_000,
    answersMeaning: true,
    ownModel: null,
    pushMaxAtOnce: 20,
    plans: loadConfig({}).plans,
    payments: null,
    mails: null,
    servesLoopbackHostsOnly: false,
    trustProxy: false,
    log: createLogger(
      'trace',
      { write: (line) => void logged.push(line) },
      {
        onError: (error) => backend.health.note(error),
      },
    ),
    reportRequest: () => {},
    now: () => testNow,
    stopping: new AbortController().signal,
    listMissing: (purpose) => listMissing(backend, purpose),
    ...given,
  };
  const app = createApp(deps);
  const withKey = (test: request.Test, key?: string) =>
    key === undefined ? test : test.set('Authorization', `Bearer ${key}`);
  return {
    app,
    shapeOf: (key) => listEndpoints(deps)[key]?.answer.schema as z.ZodType,
    logged,
    faults: () => logged.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level)),
    get: (path, key) => withKey(request(app).get(path), key),
    post: (path, key) => withKey(request(app).post(path), key),
    end: () => deps.usage.write(),
    async issueKey(tier, days = 30) {
      const key = generateApiKey();
      const plan: Plan = { tier, expiresAt: daysAfter(testNow, days) };
      await backend.keys.save({
        hash: hashApiKey(key, pepper),
        prefix: apiKeyPrefix(key),
        plan,
        email: null,
        orderId: null,
        createdAt: testNow.toISOString(),
        revokedAt: null,
      });
      return key;
    },
    async revoke(key) {
      await backend.keys.change(hashApiKey(key, pepper), (held) => endKey(held, testNow.toISOString()));
    },
  };
}

/** The service gives an answer to many callers, so none of them may change it. */
function withFrozenAnswers(index: SearchIndex): SearchIndex {
  return withMethods(index, {
    search: async (...asked) => frozen(await index.search(...asked)),
    countFacets: async (...asked) => frozen(await index.countFacets(...asked)),
  });
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

/** A service on an embedded store with these records, and keys of it, for all tests of a file or of one `describe`. */
export function useService(records: readonly MediaRecord[] = [], given: Partial<AppDeps> = {}) {
  const keys = { pro: '', premium: '', expired: '' };
  let service: TestService;
  const backend = useOne(openEmbeddedForTest, async (backend) => {
    await backend.load(records);
    service = createService(backend, given);
    keys.pro = await service.issueKey('pro');
    keys.premium = await service.issueKey('premium');
    keys.expired = await service.issueKey('premium', -1);
  });
  return { backend, service: late(() => service), keys };
}
