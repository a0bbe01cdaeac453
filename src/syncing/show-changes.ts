const numbers = new Intl.NumberFormat('en');
const betweenLinesMs = 5_000;

/** Reports every few seconds with changes how many were written, and how far the index is behind. */
export class ChangeDisplay {
  readonly #say: (line: string) => void;
  #since = performance.now();
  #changes = 0;

  constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** @param until the time up to which the index has every change */
  note(events: number, until: Date): void {
    this.#changes += events;
    const seconds = (performance.now() - this.#since) / 1_000;
    if (this.#changes === 0) this.#since = performance.now();
    if (this.#changes === 0 || seconds * 1_000 < betweenLinesMs) return;
    const behind = Math.max(0, Date.now() - until.getTime()) / 1_000;
    const rate = numbers.format(Math.round(this.#changes / seconds));
    this.#say(`${numbers.format(this.#changes)} changes written, ${rate}/s; ${behind.toFixed(1)} s behind`);
    this.#changes = 0;
    this.#since = performance.now();
  }
}
