import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { LaidOutImage } from './lay-out-image.ts';

/** A command of an image that runs. */
export interface Running {
  child: ChildProcess;
  /** Resolves with its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  /** Everything it has written. */
  output(): string;
}

/** The processes of a laid-out image that a test starts, each as a container would. */
export class ImageProcesses {
  readonly #image: LaidOutImage;
  readonly #running: Running[] = [];

  constructor(image: LaidOutImage) {
    this.#image = image;
  }

  start(command: readonly string[], env: Readonly<Record<string, string>>): Running {
    const child = this.#image.run(command, env);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        output += chunk;
      });
    }
    const started = {
      child,
      ended: once(child, 'close').then(([code, signal]) => code ?? signal),
      output: () => output,
    };
    this.#running.push(started);
    return started;
  }

  /** Runs a command to its end. */
  async run(command: readonly string[], env: Readonly<Record<string, string>> = {}) {
    const { ended, output } = this.start(command, env);
    return { code: await ended, output: output() };
  }

  async killAll(): Promise<void> {
    for (const { child, ended } of this.#running.splice(0)) {
      child.kill('SIGKILL');
      await ended;
    }
  }
}
