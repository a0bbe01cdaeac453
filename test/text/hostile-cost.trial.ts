import { ofForm } from '#testing/form.ts';
import { describeHostileCost } from './hostile-cost.ts';

// Quadratic code takes minutes for a megabyte, cubic code days.
describeHostileCost(ofForm(256, 1024) * 1024, ofForm(400, 1_000));
