import { describeHostileQueries } from './hostile-queries.ts';

describeHostileQueries(500);
