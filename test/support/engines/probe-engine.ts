import { MongoClient } from 'mongodb';
import type { EngineKind } from './engine.ts';

/** Whether the engine at this URL is ready; never fails, and answers within a few seconds. */
export function isServing(kind: EngineKind, url: string): Promise<boolean> {
  return kind === 'mongodb' ? takesWrites(url) : isHealthy(url);
}

async function takesWrites(url: string): Promise<boolean> {
  let client: MongoClient | null = null;
  try {
    client = new MongoClient(url, { serverSelectionTimeoutMS: 2_000, connectTimeoutMS: 2_000 });
    const hello = await client.db('admin').command({ hello: 1 });
    return hello.isWritablePrimary === true;
  } catch {
    return false;
  } finally {
    await client?.close();
  }
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const { href, username, password } = splitCredentials(url);
    const path = `${href}/_cluster/health?wait_for_status=yellow&timeout=1s`;
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    const headers = username ? { authorization } : {};
    const answer = await fetch(path, { headers, signal: AbortSignal.timeout(3_000) });
    return answer.ok;
  } catch {
    return false;
  }
}

/** `fetch` rejects URLs that contain a password. */
function splitCredentials(url: string): { href: string; username: string; password: string } {
  const parsed = new URL(url);
  const { username, password } = parsed;
  parsed.username = '';
  parsed.password = '';
  return {
    href: parsed.href.replace(/\/+$/, ''),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
}
