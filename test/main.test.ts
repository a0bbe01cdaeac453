import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeDataFolder } from '#testing/embedded-store.ts';
import { runCommand, type ServiceProcess, startService } from '#testing/processes.ts';
import { useFolder } from '#testing/use.ts';

/* The service as operators run it: a separate process on a real data folder. */
describe('npm start', () => {
  const folder = useFolder();
  let settings: Record<string, string>;
  const running = new Set<ServiceProcess>();

  const start = async (given: Record<string, string> = {}) => {
    const service = await startService({ ...settings, ...given });
    running.add(service);
    void service.ended.then(() => running.delete(service));
    return service;
  };

  /** A connection that has sent half a request, so it counts as running. */
  const beginRequest = async (service: ServiceProcess, path: string) => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n`);
    // Anything sent before this answer has been read by the time it arrives.
    await fetch(`${service.url}/healthz`);
    const answer = text(socket).catch((error: NodeJS.ErrnoException) => error.code ?? error.message);
    return { finish: () => socket.write('\r\n'), answer };
  };

  beforeAll(async () => {
    settings = { MASTHEAD_DATA_DIR: join(folder, "ada's data") };
    await makeDataFolder(join(folder, "ada's data"));
  });
  afterAll(async () => {
    for (const service of running) service.process.kill('SIGKILL');
    await Promise.all([...running].map((service) => service.ended));
  });

  it('on SIGTERM finishes running requests, is not ready, accepts nothing new, and exits with 0', async () => {
    const service = await start();
    const search = await beginRequest(service, '/api/v1/search');
    const readiness = await beginRequest(service, '/readyz');
    service.process.kill('SIGTERM');
    await service.logs('stopping');

    const newcomer = connect(Number(new URL(service.url).port), '127.0.0.1');
    await expect(once(newcomer, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    search.finish();
    expect(await search.answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*Connection: close[\s\S]*"masked":true}$/);
    readiness.finish();
    expect(await readiness.answer).toMatch(
      /^HTTP\/1\.1 503 [\s\S]*{"status":"not ready","missing":\["the process is stopping"\]}$/,
    );
    expect(await service.ended).toBe(0);
  });

  it('exits at once on a second signal', async () => {
    const service = await start();
    const { answer } = await beginRequest(service, '/healthz');
    service.process.kill('SIGTERM');
    await service.logs('stopping');
    service.process.kill('SIGTERM');
    expect(await service.ended).toBe(1);
    expect(await answer).not.toContain('200 OK');
  });

  it('says in one line that the port is in use, and what to do', async () => {
    const service = await start();
    const { port } = new URL(service.url);
    const other = join(folder, 'other');
    await makeDataFolder(other);
    const { code, stderr } = await runCommand(['src/main.ts'], { MASTHEAD_DATA_DIR: other, PORT: port });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `masthead: port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or choose another port: PORT=${Number(port) + 1} npm start\n`,
    );
    const metrics = await runCommand(['src/main.ts'], { MASTHEAD_DATA_DIR: other, PORT: '0', METRICS_PORT: port });
    expect(metrics.code).toBe(1);
    expect(metrics.stderr).toContain(
      `or choose another port: METRICS_PORT=${Number(port) + 1}. It must not be PORT, or another process's\n`,
    );
    service.process.kill('SIGTERM');
    await service.ended;
  });

  it('refuses a second service on one data folder, until the first has ended, in whatever way', async () => {
    const service = await start();
    const { code, stderr } = await runCommand(['src/main.ts'], { ...settings, PORT: '0' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^masthead: another service uses the data folder .*MASTHEAD_DATA_DIR=FOLDER\n$/);
    service.process.kill('SIGKILL');
    await service.ended;
    const next = await start();
    next.process.kill('SIGTERM');
    expect(await next.ended).toBe(0);
  });

  it('says what to do where no folder can be made, and does not hang', async () => {
    const file = join(folder, 'file');
    await writeFile(file, '');
    // In /proc, Node's own way to make folders tries forever.
    for (const dataDir of [file, ...(process.platform === 'linux' ? ['/proc/none/data'] : [])]) {
      const { code, stderr } = await runCommand(['src/main.ts'], { MASTHEAD_DATA_DIR: dataDir });
      expect(code).toBe(1);
      expect(stderr).toMatch(/^masthead: the data folder cannot be used .*MASTHEAD_DATA_DIR=FOLDER\n$/);
    }
  });
});
