// Runs before every npm script, on whatever Node the machine has (20 or newer): plain JavaScript, no dependencies.
//   node scripts/setup.mjs runtime    installs what the service and the command lines need
//   node scripts/setup.mjs all        adds what tests, checks and trials need, and generates the types of the TypeScript client
// It also makes sure that a Node is there which runs TypeScript natively (24 or newer): the machine's own, or the one
// that the lockfile brings along. All it says goes to standard error: standard output belongs to the command.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { holdLock } from './hold-lock.mjs';

const oldestNode = 24;
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const bundledNode = join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
/** What npm writes at the end of each installation: the installed packages. */
const hiddenLockfile = join(modules, '.package-lock.json');
/** What this script remembers: `{ lockfile, platform, scope }`, with `isUnderWay` while npm is at work. */
const markerFile = join(modules, '.masthead-set-up.json');

const scope = process.argv[2];
if (scope !== 'runtime' && scope !== 'all') fail('usage: node scripts/setup.mjs runtime|all');
const lockfileText = readFileSync(join(root, 'package-lock.json'));
const wanted = {
  lockfile: createHash('sha256').update(lockfileText).digest('hex'),
  platform: `${process.platform}-${process.arch}`,
  scope,
};

if (!isSetUp()) {
  const lock = join(root, '.set-up-lock');
  const release = await holdLock(lock, (holder) =>
    log(`waiting for another set-up (process ${holder}) … If that process is something else, delete ${lock}.`),
  ).catch((error) => fail(`dependencies cannot be installed here (${error.message}).`));
  // Another command may have done it in the meantime.
  if (!isSetUp()) install();
  release();
}

const apiDocument = join(root, 'docs/openapi.json');
if (scope === 'all' && existsSync(apiDocument)) generateClientTypes();

/** The types of the TypeScript client follow from the document, whose digest stands in their first line. */
function generateClientTypes() {
  const digest = createHash('sha256').update(readFileSync(apiDocument)).digest('hex');
  const types = join(root, 'clients/typescript/src/openapi.ts');
  if (existsSync(types) && readFileSync(types, 'utf8').startsWith(`// ${digest} `)) return;
  const node = existsSync(bundledNode) ? bundledNode : process.execPath;
  const options = { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' };
  const { status } = spawnSync(node, ['clients/generate.ts'], options);
  if (status !== 0) fail('the types of the TypeScript client cannot be generated (the reason is above).');
}

/**
 * Whether everything the command needs is installed, according to the marker or, if npm was run by hand, to npm's own
 * record.
 */
function isSetUp() {
  if (!hasNode()) return false;
  const marker = readJson(markerFile);
  if (marker === null) return isInstalledByHand();
  return !marker.isUnderWay && covers(marker, wanted);
}

/** Whether scripts run on a Node that is new enough: they find the bundled one before the machine's, and so did this one. */
function hasNode() {
  return existsSync(bundledNode) || Number.parseInt(process.versions.node, 10) >= oldestNode;
}

function covers(marker, { lockfile, platform, scope }) {
  return (
    marker.lockfile === lockfile && marker.platform === platform && (marker.scope === scope || marker.scope === 'all')
  );
}

/** Whether `npm ci` or `npm install` installed everything without this script; if so, this is recorded. */
function isInstalledByHand() {
  const installed = readJson(hiddenLockfile)?.packages;
  if (!installed) return false;
  // The lockfile also lists the project and its workspace `clients`, besides what npm installs.
  const packages = Object.entries(JSON.parse(lockfileText).packages).filter(
    ([path, { link }]) => path.startsWith('node_modules/') && !link,
  );
  const isThere = ([path, { version, integrity }]) =>
    installed[path]?.integrity === integrity && readJson(join(root, path, 'package.json'))?.version === version;
  const needed = packages.filter(([, entry]) => isNeeded(entry, scope));
  if (!needed.every(isThere)) return false;
  const hasAll = packages.filter(([, entry]) => isNeeded(entry, 'all')).every(isThere);
  saveMarker({ ...wanted, scope: hasAll ? 'all' : scope });
  return true;
}

/** Whether a package of the lockfile belongs to a scope on this machine. At run time nothing optional is needed but Node. */
function isNeeded({ dev, devOptional, optional, peer, inBundle, os, cpu, libc }, scope) {
  if (inBundle || (peer && optional)) return false;
  if (scope === 'runtime') return !dev && !devOptional && !optional;
  return allows(os, process.platform) && allows(cpu, process.arch) && (!libc || allows(libc, nameLibc()));
}

/** npm's rule for `os`, `cpu` and `libc`: one or several values that fit, or that do not, each after a `!`. */
function allows(oneOrSeveral, value) {
  if (oneOrSeveral === undefined) return true;
  const list = [oneOrSeveral].flat();
  return !list.includes(`!${value}`) && (list.includes(value) || list.some((entry) => entry.startsWith('!')));
}

function nameLibc() {
  return process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl';
}

/**
 * Adds what is missing to a complete installation, and starts over if one was interrupted or is from another machine.
 * Anything extra stays.
 */
function install() {
  const before = readJson(markerFile);
  const isWhole =
    existsSync(hiddenLockfile) && !before?.isUnderWay && (before === null || before.platform === wanted.platform);
  const target = { ...wanted, scope: isWhole && hasDevPackages(before) ? 'all' : scope };
  const needsOptional = target.scope === 'all' || existsSync(bundledNode) || !hasNode();
  const args = [
    ...(isWhole ? ['install', '--no-save'] : ['ci']),
    target.scope === 'all' ? '--include=dev' : '--omit=dev',
    needsOptional ? '--include=optional' : '--omit=optional',
    ...['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
  ];
  log('installing dependencies (once, and after each change of package-lock.json) …');
  saveMarker({ ...target, isUnderWay: true });
  const { error, status, signal } = runNpm(args);
  // npm undoes what fails, but not what was killed.
  if (status !== 0 && signal === null && isWhole) {
    if (before === null) rmSync(markerFile, { force: true });
    else saveMarker(before);
  }
  if (status !== 0) {
    fail(
      error
        ? `npm could not be started (${error.message}).`
        : `npm ${args[0]} failed (its own message is above). Fix that, then run the command again.`,
    );
  }
  saveMarker(target);
  if (hasNode()) return;
  fail(
    `this needs Node ${oldestNode} or newer; the machine has ${process.version}, and the lockfile brings none for ${wanted.platform}. Install Node ${oldestNode}, then run the command again.`,
  );
}

function hasDevPackages(marker) {
  if (marker !== null) return marker.scope === 'all';
  return Object.values(readJson(hiddenLockfile)?.packages ?? {}).some(({ dev }) => dev);
}

/** Runs npm on the machine's own Node: the bundled one is among what npm may replace. */
function runNpm(args) {
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env;
  const options = { cwd: root, stdio: ['ignore', 2, 2] };
  if (npm) return spawnSync(node, [npm, ...args], options);
  return spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
}

/** Writes the marker in one step; if the folder is not writable, the next command checks again. */
function saveMarker(marker) {
  try {
    mkdirSync(modules, { recursive: true });
    writeFileSync(`${markerFile}.${process.pid}`, `${JSON.stringify(marker)}\n`);
    renameSync(`${markerFile}.${process.pid}`, markerFile);
  } catch (error) {
    if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
  }
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}

function log(line) {
  console.error(`masthead: ${line}`);
}

function fail(line) {
  log(line);
  process.exit(1);
}
