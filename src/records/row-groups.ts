/** Groups of rows that are one, by their indexes. */
export class RowGroups {
  readonly #parents: number[];
  /** The first row with each key. */
  readonly #firsts = new Map<string, number>();

  constructor(count: number) {
    this.#parents = Array.from({ length: count }, (_, row) => row);
  }

  join(one: number, other: number): void {
    const [a, b] = [this.#rootOf(one), this.#rootOf(other)];
    this.#parents[Math.max(a, b)] = Math.min(a, b);
  }

  /** Joins a row with all others that come with the same key. */
  joinByKey(row: number, key: string): void {
    const first = this.#firsts.get(key);
    if (first === undefined) this.#firsts.set(key, row);
    else this.join(first, row);
  }

  /** The rows of each group, in their order; the groups in the order of their first rows. */
  list(): number[][] {
    return [...Map.groupBy(this.#parents.keys(), (row) => this.#rootOf(row)).values()];
  }

  #rootOf(row: number): number {
    let root = row;
    while (this.#parents[root] !== root) root = this.#parents[root] as number;
    this.#parents[row] = root;
    return root;
  }
}
