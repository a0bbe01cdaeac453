import { findFreePort } from '../../test/support/engines/free-port.ts';
import { type ServiceProcess, startService } from '../../test/support/run-service.ts';

/** A process of the service that can be ended in every way and begun again on the same port. */
export class ApiProcess {
  readonly #settings: Record<string, string>;
  #service: ServiceProcess;

  private constructor(settings: Record<string, string>, service: ServiceProcess) {
    this.#settings = settings;
    this.#service = service;
  }

  static async start(settings: Record<string, string>): Promise<ApiProcess> {
    const whole = { ...settings, PORT: String(await findFreePort()) };
    return new ApiProcess(whole, await startService(whole));
  }

  get url(): string {
    return this.#service.url;
  }

  async start(): Promise<void> {
    this.#service = await startService(this.#settings);
  }

  async kill(): Promise<void> {
    this.#service.process.kill('SIGKILL');
    await this.#service.ended;
  }

  /** SIGTERM; resolves when it has finished its running requests, and exited. */
  async shutDown(): Promise<void> {
    this.#service.process.kill('SIGTERM');
    await this.#service.ended;
  }

  async pause(): Promise<void> {
    this.#service.process.kill('SIGSTOP');
  }

  async resume(): Promise<void> {
    this.#service.process.kill('SIGCONT');
  }
}
