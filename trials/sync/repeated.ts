/** Work in the background of a trial, turn after turn, until it is stopped. */
export abstract class Repeated {
  #isStopped = false;
  #running: Promise<void> | null = null;

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves when the turn under way is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  protected abstract takeTurn(): Promise<void>;

  async #run(): Promise<void> {
    while (!this.#isStopped) await this.takeTurn();
  }
}
