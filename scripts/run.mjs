// node scripts/run.mjs FILE [ARGUMENTS]: runs the scripts of trials and tools. Installs what development needs, then
// runs FILE in the project's root on a Node that runs TypeScript, and passes on its exit code. Plain JavaScript for any
// Node from 20 on, like setup.mjs.
import { spawn, spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const setUp = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs'), 'all'], { stdio: 'inherit' });
if (setUp.status !== 0) process.exit(setUp.status ?? 1);

// npm puts node_modules/.bin, with the lockfile's Node, before the machine's own programs.
const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' };
const child = spawn('node', process.argv.slice(2), options);
// Ctrl-C reaches the child by itself; this process stays until the child has cleaned up.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`masthead: Node cannot be started (${error.message}).`);
  process.exitCode = 1;
});
child.on('close', (code) => {
  process.exitCode = code ?? 1;
});
