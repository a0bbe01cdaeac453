import { expect, test } from 'vitest';
import type { Engine } from '#testing/engines/engine.ts';
import { NoDocker } from '#testing/engines/find-docker.ts';
import { EngineMissing, startFirst } from '#testing/engines/start-engine.ts';

const engine = { origin: 'the last source' } as Engine;
const has = async () => engine;
const lacks = (error: Error) => () => Promise.reject(error);

test('if Docker cannot pull an image the run says so and uses the next source', async () => {
  const said: string[] = [];
  const noImage = new Error('Docker is there, but cannot pull mongo:8.0: no such host');
  expect(await startFirst('mongodb', [lacks(noImage), has], (line) => said.push(line))).toBe(engine);
  expect(said).toEqual(['Docker is there, but cannot pull mongo:8.0: no such host; trying the next source']);
});

test('a machine without Docker silently uses the next source', async () => {
  const said: string[] = [];
  expect(await startFirst('mongodb', [lacks(new NoDocker('there is no Docker')), has], (line) => said.push(line))).toBe(
    engine,
  );
  expect(said).toEqual([]);
});

test('if no source has the engine, the error lists each reason', async () => {
  const sources = [lacks(new NoDocker('there is no Docker')), lacks(new Error('there is no Python'))];
  const started = startFirst('mongodb', sources, () => {});
  await expect(started).rejects.toThrow(EngineMissing);
  await expect(started).rejects.toThrow('no MongoDB for tests (there is no Docker; there is no Python). To have one:');
});
