import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { type Copy, DockerfileParser, type Env, type Instruction, type JSONInstruction } from 'dockerfile-ast';

// Its types describe another module format than its code has.
const createIgnore = dockerignore as unknown as typeof dockerignore.default;

/** The file system of the image in a temporary folder, and how Docker would run it. */
export interface LaidOutImage {
  /** The folder that is `/` in the image. */
  folder: string;
  /** The commands of CMD and HEALTHCHECK. */
  command: readonly string[];
  healthCheck: readonly string[];
  /** Runs a command as a container would: in WORKDIR, with what ENV sets and nothing of this machine but PATH. */
  run(command: readonly string[], env: Readonly<Record<string, string>>): ChildProcess;
  remove(): void;
}

/**
 * Copies what the last stage of a Dockerfile copies, and nothing else: files of the build context that .dockerignore
 * permits, and the packages that an earlier stage installs, as links to those of this checkout.
 *
 * @throws Error for what would fail a build, such as a missing file, and for unsupported instructions.
 */
export function layOutImage(context: string): LaidOutImage {
  const [dependencies = [], last = []] = splitStages(readFileSync(join(context, 'Dockerfile'), 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'masthead-image-'));
  const env: Record<string, string> = {};
  let workdir = '/';
  let command: readonly string[] = [];
  let healthCheck: readonly string[] = [];
  for (const instruction of last) {
    const args = instruction.getArguments().map((argument) => argument.getValue());
    switch (instruction.getKeyword()) {
      case 'WORKDIR':
        workdir = posix.resolve(workdir, args[0] ?? '');
        mkdirSync(join(folder, workdir), { recursive: true });
        break;
      case 'ENV':
        for (const property of (instruction as Env).getProperties())
          env[property.getName()] = property.getValue() ?? '';
        break;
      case 'COPY':
        copy(instruction as Copy, (path) => join(folder, posix.resolve(workdir, path)));
        break;
      case 'VOLUME':
        for (const path of args) mkdirSync(join(folder, path), { recursive: true });
        break;
      case 'CMD':
        command = readCommand(instruction as JSONInstruction);
        break;
      case 'HEALTHCHECK':
        healthCheck = readHealthCheck(instruction);
        break;
      case 'FROM':
      case 'RUN':
      case 'USER':
      case 'EXPOSE':
        break;
      default:
        throw new Error(`${instruction.getKeyword()} is not understood here`);
    }
  }

  function copy(instruction: Copy, place: (path: string) => string): void {
    const paths = instruction.getArguments().map((argument) => argument.getValue());
    const target = paths.pop() ?? '';
    const [flag, ...others] = instruction.getFlags();
    if (flag !== undefined) {
      if (flag.getName() !== 'from' || others.length > 0) throw new Error(`${instruction} is not understood here`);
      if (paths.join() !== '/app/node_modules') throw new Error(`${instruction} copies what is not laid out here`);
      linkPackages(context, dependencies, place(target));
      return;
    }
    for (const path of paths) copyFromContext(context, path, place(target.endsWith('/') ? join(target, path) : target));
  }

  return {
    folder,
    command,
    healthCheck,
    run([program = '', ...args], given) {
      // Folders of the image are inside of ours.
      const own = Object.entries(env).map(([name, value]) => [
        name,
        value.startsWith('/') ? join(folder, value) : value,
      ]);
      return spawn(program, args, {
        cwd: join(folder, workdir),
        env: { PATH: `${dirname(process.execPath)}:${process.env.PATH}`, ...Object.fromEntries(own), ...given },
      });
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

/** The instructions of each stage; instructions before the first are refused. */
function splitStages(dockerfile: string): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const instruction of DockerfileParser.parse(dockerfile).getInstructions()) {
    if (instruction.getKeyword() === 'FROM') stages.push([]);
    stages.at(-1)?.push(instruction);
  }
  if (stages.length !== 2) throw new Error('two stages are understood here: one that installs packages, one that runs');
  return stages;
}

function copyFromContext(context: string, path: string, target: string): void {
  const ignored = createIgnore().add(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const files = listFiles(context, path).filter((file) => !ignored.ignores(file));
  if (files.length === 0) throw new Error(`COPY ${path}: the build context holds no such file`);
  for (const file of files) {
    const to = join(target, file.slice(path.length));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(join(context, file), to);
  }
}

/** A file, or all files in a folder, by their paths from the context. */
function listFiles(context: string, path: string): string[] {
  if (!existsSync(join(context, path))) return [];
  const entries = readdirSync(join(context, dirname(path)), { withFileTypes: true });
  if (entries.find(({ name }) => join(dirname(path), name) === join(path))?.isFile()) return [path];
  return readdirSync(join(context, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(path, entry.parentPath.slice(join(context, path).length), entry.name));
}

/** Links the packages that the stage installs, by the lockfile: one that is missing there cannot be imported. */
function linkPackages(context: string, stage: readonly Instruction[], target: string): void {
  const runs = stage.filter((instruction) => instruction.getKeyword() === 'RUN').map(String);
  const [install = ''] = runs;
  if (runs.length !== 1 || !install.endsWith(' node scripts/setup.mjs runtime')) {
    throw new Error(`${runs.join('; ')} is not understood here`);
  }
  const { packages }: { packages: Record<string, { link?: true; dev?: true; devOptional?: true; optional?: true }> } =
    JSON.parse(readFileSync(join(context, 'package-lock.json'), 'utf8'));
  for (const [path, { link, dev, devOptional, optional }] of Object.entries(packages)) {
    const [, name] = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path) ?? [];
    if (name === undefined || link || dev || devOptional || optional) continue;
    mkdirSync(dirname(join(target, name)), { recursive: true });
    symlinkSync(join(context, path), join(target, name));
  }
  // It tells the setup before each npm script what is installed.
  cpSync(join(context, 'node_modules/.package-lock.json'), join(target, '.package-lock.json'));
}

function readCommand(instruction: JSONInstruction): string[] {
  const words = instruction.getJSONStrings().map((word) => word.getJSONValue());
  if (words.length === 0)
    throw new Error(`${instruction} is not understood here: use the form ["program", "argument"]`);
  return words;
}

/** The part behind CMD: a list of words, or a line for the shell. */
function readHealthCheck(instruction: Instruction): string[] {
  const [, text = ''] = /^HEALTHCHECK\s+(?:--\S+\s+)*CMD\s+(.*)$/s.exec(String(instruction).replace(/\\\n/g, '')) ?? [];
  return text.startsWith('[') ? JSON.parse(text) : ['sh', '-c', text];
}
