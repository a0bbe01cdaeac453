// Runs before every npm script, on whatever Node the machine has: plain JavaScript, no dependencies.
// It installs what the lockfile names when that is missing or outdated, and makes sure that a Node is there
// which runs TypeScript natively (24 or newer): the machine's own, or the one the lockfile brings along.
import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const oldestNode = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const lockfile = join(root, 'package-lock.json');
const installed = join(root, 'node_modules', '.package-lock.json');
const bundledNode = join(root, 'node_modules', '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');

function isInstalled() {
  return existsSync(installed) && statSync(installed).mtimeMs >= statSync(lockfile).mtimeMs;
}

function install() {
  console.log('masthead: installing dependencies (once, and after each change of package-lock.json) …');
  const args = ['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const [command, before] = npm ? [process.execPath, [npm]] : ['npm', []];
  execFileSync(command, [...before, ...args], { cwd: root, stdio: 'inherit' });
}

try {
  if (!isInstalled()) install();
} catch {
  console.error('masthead: npm ci failed (its own message is above). Mend that, then run the command again.');
  process.exit(1);
}

if (!existsSync(bundledNode) && Number.parseInt(process.versions.node, 10) < oldestNode) {
  console.error(
    `masthead: this needs Node ${oldestNode} or newer; the machine has ${process.version}, and the lockfile brings none for ${process.platform}-${process.arch}. Install Node ${oldestNode}, then run the command again.`,
  );
  process.exit(1);
}
