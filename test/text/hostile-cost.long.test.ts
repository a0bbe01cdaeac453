import { describeHostileCost } from './hostile-cost.ts';

// Quadratic code takes minutes for a megabyte, cubic code days.
describeHostileCost(1024 * 1024, 1_000);
