import { setTimeout as pause } from 'node:timers/promises';
import type { Engine, EngineCluster } from '../../test/support/engines/engine.ts';
import type { ApiProcess } from './api-process.ts';

/** What drills are made on. */
export interface Installation {
  elasticsearch: EngineCluster;
  mongodb: EngineCluster;
  apis: readonly ApiProcess[];
  /** The member of the replica set that takes writes now. */
  findPrimary(): Promise<Engine>;
}

/** One failure and its repair. */
export interface Drill {
  name: string;
  run(installation: Installation): Promise<void>;
}

const pausedMs = 20_000;
/** How long a killed part stays down, in milliseconds. */
const deadMs = 3_000;

type Broken = Pick<Engine, 'kill' | 'shutDown' | 'pause' | 'resume' | 'start'>;

const ways: Record<'killed' | 'paused' | 'restarted', (broken: Broken) => Promise<void>> = {
  async killed(broken) {
    await broken.kill();
    await pause(deadMs);
    await broken.start();
  },
  async paused(broken) {
    await broken.pause();
    await pause(pausedMs);
    await broken.resume();
  },
  async restarted(broken) {
    await broken.shutDown();
    await broken.start();
  },
};

type Way = keyof typeof ways;
const everyWay = Object.keys(ways) as Way[];

function drillOf(way: Way, what: string, find: (installation: Installation) => Promise<Broken> | Broken): Drill {
  return { name: `${what} ${way}`, run: async (installation) => ways[way](await find(installation)) };
}

const at = <Thing>(things: readonly Thing[], place: number): Thing => {
  const found = things[place];
  if (found === undefined) throw new RangeError(`there is no number ${place + 1}`);
  return found;
};
const node = (place: number) => (installation: Installation) => at(installation.elasticsearch.nodes, place);
const api = (place: number) => (installation: Installation) => at(installation.apis, place);
const primary = ({ findPrimary }: Installation) => findPrimary();
const secondary = async ({ mongodb, findPrimary }: Installation) => {
  const taken = await findPrimary();
  return at(
    mongodb.nodes.filter((member) => member !== taken),
    0,
  );
};

export const allDrills: readonly Drill[] = [
  ...everyWay.flatMap((way) => [0, 1, 2].map((place) => drillOf(way, `Elasticsearch ${place + 1}`, node(place)))),
  ...everyWay.map((way) => drillOf(way, 'MongoDB primary', primary)),
  drillOf('killed', 'MongoDB secondary', secondary),
  ...everyWay.flatMap((way) => [0, 1].map((place) => drillOf(way, `API ${place + 1}`, api(place)))),
];
