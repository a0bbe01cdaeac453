import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ComposeProject } from './compose-project.ts';
import { importRecord, requirePro, step, untilFound } from './steps.ts';

const makeSecrets = fileURLToPath(new URL('../../docker/production/make-secrets.sh', import.meta.url));

/** docker-compose.production.yml: it starts with the secrets that it makes, keeps everything, and is closed. */
export async function tryProduction(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-trial-secrets-'));
  const secrets = makeSecretsIn(folder);
  const project = new ComposeProject({
    file: 'docker-compose.production.yml',
    env: { PUBLIC_URL: 'https://media.example.org', CONTACT_EMAIL: 'privacy@example.org' },
    secrets,
  });
  try {
    await step('the first `up --wait`', () => project.up());
    await untilFound(project, 0);
    await step('an import of one record, until it is found', async () => {
      await importRecord(project);
      await untilFound(project, 1);
    });
    const issue = ['npm', 'run', '--silent', 'admin', '--', 'keys', 'issue', '--tier', 'pro', '--days', '30'];
    const key = (await project.compose('run', '--rm', '-T', 'indexer', ...issue)).trim();
    await requirePro(project, key);
    await requireClosed(project, folder);

    await step('`down`, then `up --wait`', async () => {
      await project.compose('down');
      await project.up();
      await untilFound(project, 1);
    });
    await requirePro(project, key);
    await step('`kill` of all containers, then `up --wait`', async () => {
      await project.compose('kill');
      await project.up();
      await untilFound(project, 1);
    });
    await requirePro(project, key);
  } finally {
    await project.remove();
    rmSync(folder, { recursive: true });
  }
}

function makeSecretsIn(folder: string): Record<string, { file: string }> {
  const run = () => execFileSync('sh', [makeSecrets, folder], { stdio: 'pipe' });
  run();
  writeFileSync(join(folder, 'stripe-secret-key'), 'sk_test_only_for_a_trial');
  writeFileSync(join(folder, 'stripe-webhook-secret'), 'whsec_only_for_a_trial');
  run();
  const inCompose = (name: string) => !['ca.key', 'ca.srl', 'mongo.key', 'mongo.crt'].includes(name);
  return Object.fromEntries(
    readdirSync(folder)
      .filter(inCompose)
      .map((name) => [name, { file: join(folder, name) }]),
  );
}

/** Requires that only the API is published, that the engines refuse strangers, and that Docker shows no secret. */
async function requireClosed(project: ComposeProject, folder: string): Promise<void> {
  const ports = await project.compose('ps', '--format', '{{.Service}} {{.Ports}}');
  const published = ports.split('\n').filter((line) => line.includes('->'));
  if (published.length !== 1 || !published[0]?.startsWith('api 127.0.0.1:')) throw new Error(`published: ${published}`);

  const refusals: [service: string, command: string, answer: string][] = [
    [
      'elasticsearch',
      "curl -s -o /dev/null -w '%{http_code}' --cacert config/certs/ca.crt https://elasticsearch:9200/",
      '401',
    ],
    ['elasticsearch', 'curl -s http://elasticsearch:9200/ || echo refused', 'refused'],
    ['mongo', `${mongosh}&tls=true&tlsCAFile=/run/secrets/ca.crt' --eval "${count}"`, 'Unauthorized'],
    ['mongo', `${mongosh}' --eval "${count}" || echo refused`, 'refused'],
  ];
  for (const [service, command, expected] of refusals) {
    const answer = (await project.compose('exec', '-T', service, 'sh', '-c', command)).trim();
    if (answer !== expected) throw new Error(`${service} answers a stranger with ${answer} in place of ${expected}`);
  }

  const known = await project.inspect();
  for (const name of readdirSync(folder)) {
    if (known.includes(readFileSync(join(folder, name), 'utf8').trim())) throw new Error(`Docker knows ${name}`);
  }
}

const mongosh =
  "mongosh --quiet --norc 'mongodb://mongo:27017/masthead?directConnection=true&serverSelectionTimeoutMS=3000";
const count =
  'try { db.records.countDocuments() } catch (error) { if (!error.codeName) throw error; print(error.codeName) }';
