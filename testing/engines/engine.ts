/** The engines that tests run on. */
export type EngineKind = 'mongodb' | 'elasticsearch';

export const engineNames: Record<EngineKind, string> = { mongodb: 'MongoDB', elasticsearch: 'Elasticsearch' };

/**
 * What an engine is started for. In `tests`, which are over in minutes, Elasticsearch compiles its code once and quickly:
 * the compiler that makes it fast would take more processor time than it saves. `figures` take it as operators run it.
 */
export type EnginePurpose = 'tests' | 'figures';

/** Options of Elasticsearch's Java machine. */
export function javaOptions(heap: string, purpose: EnginePurpose): string {
  const quick = purpose === 'tests' ? ' -XX:TieredStopAtLevel=1 -XX:-AlwaysPreTouch' : '';
  return `-Xms${heap} -Xmx${heap}${quick}`;
}

/** A running engine that belongs to whoever started it. Its URL outlives kill and start. */
export interface Engine {
  url: string;
  /** How it was had, in a few words. */
  origin: string;
  /** Ends it at once, as a crash would (SIGKILL); resolves when its port is closed. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, and waits until it serves. */
  start(): Promise<void>;
  /** Lets it hang: it keeps its port and connections, and answers nothing until it is resumed. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Asks it to end, as a rolling restart does (SIGTERM); resolves when it is gone. */
  shutDown(): Promise<void>;
  /** Ends it for good and removes all it wrote. */
  stop(): Promise<void>;
}

/** Several engines that serve as one. */
export interface EngineCluster {
  /** What a client is given: all nodes. */
  url: string;
  nodes: readonly Engine[];
  stop(): Promise<void>;
}

/** Takes one plain line about what goes on. */
export type Say = (line: string) => void;
