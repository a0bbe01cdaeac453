import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buy, readOrder } from '../../test/support/buyer.ts';
import { hasDocker } from '../../test/support/compose.ts';
import { ComposeProject } from './compose-project.ts';

describe.skipIf(!hasDocker())('docker compose', () => {
  it('starts with the sample, and keeps everything through down, kills and restarts', async () => {
    const project = new ComposeProject();
    onTestFinished(() => project.remove());
    await project.up();
    await project.untilFound(5_000);
    const url = await project.url();
    const { api_key: bought = '' } = await readOrder(() => url, await buy(() => url));
    const keys = [await issueKey(project, 'api'), bought];
    await project.compose('down');
    await project.up();
    for (const service of ['api', 'indexer', 'mongo', 'elasticsearch']) {
      await project.crash(service);
      await project.untilFound(5_000);
    }
    await project.compose('kill');
    await project.up();
    await project.untilFound(5_000);
    for (const key of keys) expect(await planOf(project, key)).toBe('pro');
    await importRecord(project);
    await project.untilFound(1);
  });

  it('starts for production with the secrets that it makes, keeps everything, and is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'masthead-trial-secrets-'));
    const env = { PUBLIC_URL: 'https://media.example.org', CONTACT_EMAIL: 'privacy@example.org' };
    const secrets = makeSecretsIn(folder);
    const project = new ComposeProject({ file: 'docker-compose.production.yml', env, secrets });
    try {
      await project.up();
      await importRecord(project);
      await project.untilFound(1);
      const key = await issueKey(project, 'indexer');
      await expectClosed(project, folder);
      for (const end of ['down', 'kill']) {
        await project.compose(end);
        await project.up();
        await project.untilFound(1);
        expect(await planOf(project, key)).toBe('pro');
      }
    } finally {
      await project.remove();
      rmSync(folder, { recursive: true });
    }
  });
});

async function issueKey(project: ComposeProject, service: 'api' | 'indexer'): Promise<string> {
  const issue = ['npm', 'run', '--silent', 'admin', '--', 'keys', 'issue', '--tier', 'pro', '--days', '30'];
  return (await project.compose('run', '--rm', '-T', service, ...issue)).trim();
}

const planOf = async (project: ComposeProject, key: string) =>
  (await project.get('/api/v1/me', { Authorization: `Bearer ${key}` })).plan;

/** Imports a file with one record in a separate container, as docs/operations.md describes. */
async function importRecord(project: ComposeProject): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-import-'));
  const file = join(folder, 'own.csv');
  writeFileSync(file, 'id,kind,name\nown-1,outlet,The Times\n', { mode: 0o644 });
  const command = ['npm', 'run', '--silent', 'indexer', '--', 'import', '/in/own.csv'];
  await project.compose('run', '--rm', '-T', '-v', `${file}:/in/own.csv:ro`, 'indexer', ...command);
  rmSync(folder, { recursive: true });
}

function makeSecretsIn(folder: string): Record<string, { file: string }> {
  const makeSecrets = fileURLToPath(new URL('../../docker/production/make-secrets.sh', import.meta.url));
  const run = () => execFileSync('sh', [makeSecrets, folder], { stdio: 'pipe' });
  run();
  writeFileSync(join(folder, 'stripe-secret-key'), 'sk_test_only_for_a_trial');
  writeFileSync(join(folder, 'stripe-webhook-secret'), 'whsec_only_for_a_trial');
  run();
  const inCompose = readdirSync(folder).filter((name) => !/^(ca\.key|ca\.srl|mongo\.key|mongo\.crt)$/.test(name));
  return Object.fromEntries(inCompose.map((name) => [name, { file: join(folder, name) }]));
}

/** Expects that only the API is published, that the engines require a password, and that Docker shows no secret. */
async function expectClosed(project: ComposeProject, folder: string): Promise<void> {
  const ports = await project.compose('ps', '--format', '{{.Service}} {{.Ports}}');
  const published = ports.split('\n').filter((line) => line.includes('->'));
  expect(published).toEqual([expect.stringMatching(/^api 127\.0\.0\.1:/)]);

  const mongosh =
    "mongosh --quiet --norc 'mongodb://mongo:27017/masthead?directConnection=true&serverSelectionTimeoutMS=3000";
  const count =
    'try { db.records.countDocuments() } catch (error) { if (!error.codeName) throw error; print(error.codeName) }';
  const curl = "curl -s -o /dev/null -w '%{http_code}' --cacert config/certs/ca.crt https://elasticsearch:9200/";
  const refusals = [
    ['elasticsearch', curl, '401'],
    ['elasticsearch', 'curl -s http://elasticsearch:9200/ || echo refused', 'refused'],
    ['mongo', `${mongosh}&tls=true&tlsCAFile=/run/secrets/ca.crt' --eval "${count}"`, 'Unauthorized'],
    ['mongo', `${mongosh}' --eval "${count}" || echo refused`, 'refused'],
  ] as const;
  for (const [service, command, expected] of refusals) {
    expect((await project.compose('exec', '-T', service, 'sh', '-c', command)).trim(), command).toBe(expected);
  }

  const known = await project.inspect();
  for (const name of readdirSync(folder)) {
    expect(known.includes(readFileSync(join(folder, name), 'utf8').trim()), name).toBe(false);
  }
}
