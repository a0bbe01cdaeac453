import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  BaseConnection,
  BaseConnectionPool,
  type Connection,
  type ConnectionOptions,
  type GetConnectionOptions,
} from '@elastic/elasticsearch';
import { isUnavailable } from './elasticsearch-faults.ts';

/** How often each of several nodes is pinged, and the timeout of a ping, in milliseconds. */
const askEveryMs = 300;
const answerMs = 500;
/** A node answers this without the other nodes: `{"nodes":{"<id>":{"name":…}}}`. */
const question = { method: 'GET', path: '/_nodes/_local/_none', querystring: 'filter_path=nodes.*.name' };
const probeOptions = { requestId: 'probe', name: 'probe', context: null };
const { ALIVE, DEAD } = BaseConnection.statuses as { ALIVE: string; DEAD: string };

/** Chooses a request's node; passed as the client's `context`. */
export type NodeChoice = {
  /** Use this node only. */
  only?: Connection;
  /** Avoid this node if there is another. */
  except?: Connection | undefined;
  /** The pool stores the chosen node here. */
  taken?: Connection | undefined;
};

/** Waits until it is closed, see NodePool. */
export interface LossWatch {
  lost: Promise<void>;
  end(): void;
}

/**
 * The nodes of a cluster, used in turn. If there are several, each is pinged continuously on its own connection: a node
 * that hangs accepts requests but never answers them, and a request notices that too late. A node that does not answer
 * gets no requests until it does (decisions/0145).
 */
export class NodePool extends BaseConnectionPool {
  /** Receives one line when one of several nodes stops or resumes answering. */
  say: (line: string) => void = () => {};
  readonly #closing = new AbortController();
  readonly #probes: Connection[] = [];
  /** The nodes' Elasticsearch ids; only of nodes that have answered at least once. */
  readonly #ids = new Map<Connection, string>();
  readonly #hasAnswered = new Set<Connection>();
  /** The nodes that did not answer their last ping. */
  readonly #lost = new Set<Connection>();
  readonly #lossListeners = new Set<() => void>();
  #turn = 0;

  override getConnection({ context }: GetConnectionOptions): Connection | null {
    const choice: NodeChoice = context ?? {};
    const chosen = choice.only ?? this.#nextOf(this.#candidates(choice.except));
    choice.taken = chosen ?? undefined;
    return chosen;
  }

  override update(nodes: (Connection | ConnectionOptions)[]): this {
    super.update(nodes);
    if (this.size > 1) for (const node of this.connections) void this.#watch(node);
    return this;
  }

  override markAlive(node: Connection): this {
    node.status = ALIVE;
    return this;
  }

  /** Until the node answers the next ping. */
  override markDead(node: Connection): this {
    node.status = DEAD;
    return this;
  }

  override async empty(): Promise<void> {
    this.#closing.abort();
    await Promise.all(this.#probes.map((probe) => probe.close()));
    await super.empty();
  }

  /**
   * The `preference` of a search: the copies that belong to the key (any copies without a key), or copies on answering
   * nodes while another node does not answer. Elasticsearch itself takes half a minute to notice a hanging node.
   */
  preferenceFor(key?: string): string | undefined {
    const ids = this.connections.filter((node) => node.status === ALIVE).map((node) => this.#ids.get(node));
    const known = ids.filter((id) => id !== undefined);
    return this.#lost.size === 0 || known.length === 0 ? key : `_prefer_nodes:${known.join(',')}`;
  }

  /** Waits for a change after which some nodes answer and others do not. */
  watchForLoss(): LossWatch {
    let listener = () => {};
    const lost = new Promise<void>((resolve) => {
      listener = resolve;
    });
    this.#lossListeners.add(listener);
    return { lost, end: () => this.#lossListeners.delete(listener) };
  }

  #candidates(except: Connection | undefined): readonly Connection[] {
    const others = this.connections.filter((node) => node !== except);
    const alive = others.filter((node) => node.status === ALIVE);
    return [alive, others, this.connections].find((nodes) => nodes.length > 0) ?? [];
  }

  #nextOf(nodes: readonly Connection[]): Connection | null {
    this.#turn += 1;
    return nodes[this.#turn % nodes.length] ?? null;
  }

  async #watch(node: Connection): Promise<void> {
    const { url, id, tls } = node;
    const probe = this.createConnection({ url, id: `${id} probe`, agent: { connections: 1 }, ...(tls && { tls }) });
    this.#probes.push(probe);
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#ask(node, probe);
      await pause(askEveryMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  async #ask(node: Connection, probe: Connection): Promise<void> {
    const patience = new AbortController();
    const timer = setTimeout(async () => {
      // If this process was busy, the answer may have arrived but not been read.
      await nextTurn();
      patience.abort();
    }, answerMs);
    try {
      const { statusCode, body } = await probe.request(question, { ...probeOptions, signal: patience.signal });
      if (isUnavailable(statusCode)) return this.#noteLoss(node);
      const id = statusCode === 200 ? readNodeId(body) : undefined;
      if (id !== undefined) this.#ids.set(node, id);
      this.#noteAnswer(node);
    } catch {
      this.#noteLoss(node);
    } finally {
      clearTimeout(timer);
    }
  }

  #noteAnswer(node: Connection): void {
    this.markAlive(node);
    const hasAnswered = this.#hasAnswered.has(node);
    this.#hasAnswered.add(node);
    if (!this.#lost.delete(node)) return;
    if (hasAnswered) this.say(`Elasticsearch at ${node.url.host} is back`);
    this.#tellOfLoss();
  }

  #noteLoss(node: Connection): void {
    this.markDead(node);
    if (this.#lost.has(node) || this.#closing.signal.aborted) return;
    this.#lost.add(node);
    // A node that never answered was reported at the start.
    if (this.#hasAnswered.has(node)) this.say(`Elasticsearch at ${node.url.host} does not answer`);
    this.#tellOfLoss();
  }

  /** If no node answers, requests have nowhere to go until one does. */
  #tellOfLoss(): void {
    if (this.#lost.size === 0 || this.#lost.size === this.size) return;
    for (const tell of this.#lossListeners) tell();
  }
}

/** Undefined if the server hides it, as a proxy may. */
function readNodeId(body: string | Buffer): string | undefined {
  try {
    return Object.keys(JSON.parse(String(body)).nodes)[0];
  } catch {
    return undefined;
  }
}
