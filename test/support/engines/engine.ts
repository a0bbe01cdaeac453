/** The engines that tests run on. */
export type EngineKind = 'mongodb' | 'elasticsearch';

export const engineNames: Record<EngineKind, string> = { mongodb: 'MongoDB', elasticsearch: 'Elasticsearch' };

/**
 * The purpose of an engine. For `tests`, which take minutes, Elasticsearch compiles its code once and quickly: its
 * optimizing compiler would take more processor time than it saves. `figures` use it like operators do.
 */
export type EnginePurpose = 'tests' | 'figures';

/** Options of Elasticsearch's Java machine. */
export function javaOptions(heap: string, purpose: EnginePurpose): string {
  const quick = purpose === 'tests' ? ' -XX:TieredStopAtLevel=1 -XX:-AlwaysPreTouch' : '';
  return `-Xms${heap} -Xmx${heap}${quick}`;
}

/** A running engine that belongs to its starter. Its URL survives kill and start. */
export interface Engine {
  url: string;
  /** How it was had, in a few words. */
  origin: string;
  /** Ends it at once, as a crash would (SIGKILL); resolves when its port is closed. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, and waits until it serves. */
  start(): Promise<void>;
  /** Pauses it: it keeps its port and connections, and answers nothing until it is resumed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks it to end, as a rolling restart does (SIGTERM); resolves when it is gone. */
  shutDown(): Promise<void>;
  /** Ends it for good and removes all it wrote. */
  stop(): Promise<void>;
}

/** Several engines that serve as one. */
export interface EngineCluster {
  /** The URL for a client: all nodes. */
  url: string;
  nodes: readonly Engine[];
  stop(): Promise<void>;
}

/** Starts several engines; where one fails, the others are stopped. */
export async function startAll<Started extends Engine>(starting: readonly Promise<Started>[]): Promise<Started[]> {
  const started = await Promise.allSettled(starting);
  const engines = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const failed = started.find((one) => one.status === 'rejected');
  if (failed === undefined) return engines;
  await stopAll(engines);
  throw failed.reason;
}

export async function stopAll(engines: readonly Engine[]): Promise<void> {
  await Promise.all(engines.map((engine) => engine.stop()));
}

/** Receives one line about the progress. */
export type LogLine = (line: string) => void;
