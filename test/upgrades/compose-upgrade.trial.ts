import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buy, readAccount, readOrder } from '#testing/buyer.ts';
import { hasDocker, onFreePort } from '#testing/compose.ts';
import { InstalledServer } from './installed-server.ts';
import { oldVersions } from './old-version.ts';
import { blockFor } from './steps-in-docs.ts';

const commit = oldVersions.find(({ name }) => name === '1.2')?.commit ?? '';

const name = 'masthead-trial-upgrade';

/** So that the old version is not started from an image of this one that the machine has. */
const withImageOfItsOwn = `services:
  api: { image: ${name}, build: { labels: [${name}] } }
  indexer: { image: ${name}, build: { labels: [${name}] } }
`;

describe.skipIf(!hasDocker())(
  'the steps of docs/operations.md for an upgrade from 1.2 with compose, followed to the letter',
  () => {
    let server: InstalledServer;
    beforeAll(() => {
      server = new InstalledServer(commit, {});
      writeFileSync(join(server.root, 'free-port.yml'), onFreePort);
      writeFileSync(join(server.root, 'new-image.yml'), withImageOfItsOwn);
    });
    const run = (script: string) =>
      server.run(script, server.checkout, {
        COMPOSE_PROJECT_NAME: name,
        COMPOSE_FILE: `docker-compose.yml:${join(server.root, 'free-port.yml')}:${join(server.root, 'new-image.yml')}`,
        DOCKER_BUILDKIT: process.env.DOCKER_BUILDKIT ?? '1',
      });
    const url = async () => `http://${(await run('docker compose port api 3000')).trim()}`;
    /** How many records a search finds. On a busy machine some time out, the first ones above all. */
    const total = (place: string) =>
      vi.waitFor(
        async () => {
          const answer = await fetch(`${place}/api/v1/search?q=radio`);
          if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
          return ((await answer.json()) as { total: number }).total;
        },
        { timeout: 60_000, interval: 500 },
      );
    afterAll(async () => {
      await run('docker compose down --volumes --remove-orphans');
      await run(`docker image prune --all --force --filter label=${name}`);
      server.remove();
    });

    it('keep keys, orders and records, and searches are answered until the old version is stopped', async () => {
      await run('docker compose up -d --wait');
      const before = await url();
      const claimed = await buy(() => before);
      const { api_key = '' } = await readOrder(() => before, claimed);
      const unclaimed = await buy(() => before);
      const found = await total(before);
      expect(found).toBeGreaterThan(0);

      server.release();
      const [whileItServes = '', afterwards = ''] = blockFor('Docker').split(/^(?=docker compose stop)/m);
      expect(afterwards).toMatch(/^docker compose stop/);
      const ahead = run(whileItServes).then((output) => ({ output }));
      let answered = 0;
      while ((await Promise.race([ahead, pause(200, null)])) === null) {
        expect(await total(before)).toBe(found);
        answered += 1;
      }
      console.log(
        `${answered} searches were answered while the new version was built and checked and filled its index`,
      );
      expect(answered).toBeGreaterThan(0);
      expect((await ahead).output).toMatch(/an upgrade is due: [\s\S]*records indexed and compared/);
      await run(afterwards);
      const after = await url();
      expect((await fetch(`${after}/readyz`)).status).toBe(200);
      expect(await total(after)).toBe(found);
      expect(await readAccount(() => after, api_key)).toMatchObject({ order_id: claimed.orderId });
      expect(await readOrder(() => after, unclaimed)).toMatchObject({ status: 'paid', api_key: expect.any(String) });
      await expect
        .poll(() => run('docker compose logs --no-color indexer'), { timeout: 120_000 })
        .toMatch(/The upgrade is done/);
    }, 1_800_000);
  },
);
