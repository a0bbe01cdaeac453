/** The engines that tests run on. */
export type EngineKind = 'mongodb' | 'elasticsearch';

export const engineNames: Record<EngineKind, string> = { mongodb: 'MongoDB', elasticsearch: 'Elasticsearch' };

/**
 * What an engine is for. `tests` take only minutes, so Elasticsearch runs without Java's optimizing compiler, which would take
 * more time than it saves. `figures` are measured with it, as operators run it.
 */
export type EnginePurpose = 'tests' | 'figures';

/** Options of the Java virtual machine of Elasticsearch. */
export function javaOptions(heap: string, purpose: EnginePurpose): string {
  const quick = purpose === 'tests' ? ' -XX:TieredStopAtLevel=1 -XX:-AlwaysPreTouch' : '';
  return `-Xms${heap} -Xmx${heap}${quick}`;
}

/** A running engine that belongs to its starter. Its URL survives kill and start. */
export interface Engine {
  url: string;
  /** Where it comes from, in a few words, such as a Docker image. */
  origin: string;
  /** Ends it at once, as a crash would (SIGKILL); resolves when its port is closed. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, and waits until it serves. */
  start(): Promise<void>;
  /** Pauses it: it keeps its port and connections, but answers nothing until it is resumed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks it to end, as a rolling restart does (SIGTERM); resolves when it is gone. */
  shutDown(): Promise<void>;
  /** Ends it for good and removes all it wrote. */
  stop(): Promise<void>;
}

/** A cluster: several servers that work as one engine. */
export interface EngineCluster {
  /** The URL for a client: all nodes. */
  url: string;
  nodes: readonly Engine[];
  stop(): Promise<void>;
}

/** Starts several engines. If one fails to start, stops the others. */
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
