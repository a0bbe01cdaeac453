import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import {
  BaseConnection,
  BaseConnectionPool,
  type Connection,
  type ConnectionOptions,
  errors,
  type GetConnectionOptions,
} from '@elastic/elasticsearch';
import { isUnavailable } from './elasticsearch-faults.ts';

/** How often each of several nodes is pinged, in milliseconds. */
const askEveryMs = 300;
/** The timeout of a ping: a multiple of what this node usually takes, within bounds in milliseconds. */
const pingTimeout = { times: 4, minMs: 500, maxMs: 1_000 };
/** The weight of the last ping in the usual duration. */
const lastShare = 0.125;
/** Pings in a row that a lost node must answer before it gets requests again. */
const answersToReturn = 3;
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

/** How a node answers its pings. Times are those of performance.now(). */
class Pulse {
  /** When it last answered a ping or a request. */
  heardAt = Number.NEGATIVE_INFINITY;
  /** When the last answered ping was sent. */
  answeredOf = Number.NEGATIVE_INFINITY;
  averageMs = 0;
  answersInARow = 0;

  get timeoutMs(): number {
    return Math.min(Math.max(pingTimeout.times * this.averageMs, pingTimeout.minMs), pingTimeout.maxMs);
  }

  noteDuration(askedAt: number): void {
    this.averageMs += (performance.now() - askedAt - this.averageMs) * lastShare;
  }
}

/**
 * The nodes of a cluster, used in turn. If there are several, each is pinged continuously on its own connection: a node
 * that hangs accepts requests but never answers them, and a request notices that too late. A node is lost if it refuses
 * connections, or does not answer while others do. A lost node gets no requests until it answers several pings in a row
 * (decisions/0063).
 */
export class NodePool extends BaseConnectionPool {
  /** Receives one line when one of several nodes stops or resumes answering. */
  logLine: (line: string) => void = () => {};
  readonly #closing = new AbortController();
  readonly #probes: Connection[] = [];
  /** The nodes' Elasticsearch ids; only of nodes that have answered at least once. */
  readonly #ids = new Map<Connection, string>();
  readonly #hasAnswered = new Set<Connection>();
  readonly #pulses = new Map<Connection, Pulse>();
  /** The nodes that do not answer, and when each last failed to. */
  readonly #lost = new Map<Connection, number>();
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

  /** The node answered a request. A lost node gets no others yet, because it may stop again. */
  override markAlive(node: Connection): this {
    this.#pulseOf(node).heardAt = performance.now();
    if (!this.#lost.has(node)) node.status = ALIVE;
    return this;
  }

  /** A request failed: the node gets no others until it answers the next ping. */
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
   * nodes while another node does not answer. Elasticsearch itself takes half a minute to notice a hanging node. A lost
   * node that has answered since, but not often enough to be back, does better than one that hangs.
   */
  preferenceFor(key?: string): string | undefined {
    const answering = this.connections.filter((node) => {
      const lostAt = this.#lost.get(node);
      return lostAt === undefined || this.#pulseOf(node).heardAt > lostAt;
    });
    const ids = answering.map((node) => this.#ids.get(node)).filter((id) => id !== undefined);
    return this.#lost.size === 0 || ids.length === 0 ? key : `_prefer_nodes:${ids.join(',')}`;
  }

  /** Waits for a change after which some nodes answer and others do not. */
  watchForLoss(): { lost: Promise<void>; end(): void } {
    const { promise: lost, resolve } = Promise.withResolvers<void>();
    this.#lossListeners.add(resolve);
    return { lost, end: () => this.#lossListeners.delete(resolve) };
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
    const pulse = this.#pulseOf(node);
    const askedAt = performance.now();
    try {
      const timeoutMs = this.#timeoutOf(node);
      const { statusCode, body } = await this.#askOnce(probe, timeoutMs).catch((error) => {
        // One connection can break through no fault of the node, so the second try decides.
        if (error instanceof errors.ConnectionError) return this.#askOnce(probe, timeoutMs);
        throw error;
      });
      if (isUnavailable(statusCode)) return this.#noteLoss(node);
      const id = statusCode === 200 ? readNodeId(body) : undefined;
      if (id !== undefined) this.#ids.set(node, id);
      pulse.answeredOf = askedAt;
      pulse.noteDuration(askedAt);
      this.#noteAnswer(node);
    } catch (error) {
      const isSilent = error instanceof errors.RequestAbortedError;
      if (!isSilent || this.#isAloneInSilence(node, askedAt)) return this.#noteLoss(node);
      pulse.answersInARow = 0;
      pulse.noteDuration(askedAt);
    }
  }

  /** @throws RequestAbortedError if no answer comes in time, ConnectionError if the connection fails. */
  async #askOnce(probe: Connection, timeoutMs: number) {
    const end = new AbortController();
    const timer = setTimeout(async () => {
      // If this process was busy, the answer may have arrived but not been read.
      await nextTurn();
      end.abort();
    }, timeoutMs);
    try {
      return await probe.request(question, { ...probeOptions, signal: end.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Whether this node has answered nothing since it was pinged, while another answered a ping that was sent later. If none
   * did, this process or the whole cluster is busy, and no other node would do better.
   */
  #isAloneInSilence(node: Connection, askedAt: number): boolean {
    if (this.#pulseOf(node).heardAt >= askedAt) return false;
    return this.connections.some((other) => other !== node && this.#pulseOf(other).answeredOf >= askedAt);
  }

  /** More patient with the nodes that are left: taking another one away costs more than waiting for it. */
  #timeoutOf(node: Connection): number {
    const otherLost = [...this.#lost.keys()].filter((lost) => lost !== node).length;
    return this.#pulseOf(node).timeoutMs * (1 + otherLost);
  }

  #pulseOf(node: Connection): Pulse {
    const known = this.#pulses.get(node);
    if (known !== undefined) return known;
    const pulse = new Pulse();
    this.#pulses.set(node, pulse);
    return pulse;
  }

  #noteAnswer(node: Connection): void {
    const pulse = this.#pulseOf(node);
    pulse.answersInARow += 1;
    const hasAnswered = this.#hasAnswered.has(node);
    this.#hasAnswered.add(node);
    const isNeeded = !hasAnswered || this.#lost.size === this.size;
    const isBack = this.#lost.has(node) && (isNeeded || pulse.answersInARow >= answersToReturn);
    if (isBack) this.#lost.delete(node);
    this.markAlive(node);
    if (!isBack) return;
    if (hasAnswered) this.logLine(`Elasticsearch at ${node.url.host} is back`);
    this.#tellOfLoss();
  }

  #noteLoss(node: Connection): void {
    this.markDead(node);
    this.#pulseOf(node).answersInARow = 0;
    const isKnown = this.#lost.has(node);
    this.#lost.set(node, performance.now());
    if (isKnown || this.#closing.signal.aborted) return;
    // A node that never answered was reported at the start.
    if (this.#hasAnswered.has(node)) this.logLine(`Elasticsearch at ${node.url.host} does not answer`);
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
