import { describeHostileCost } from './hostile-cost.ts';

// Quadratic code takes seconds for so much, cubic code hours.
describeHostileCost(32 * 1024, 250);
