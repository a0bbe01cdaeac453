import type { QualityReport } from './collect-report.ts';

/** The report as one HTML page that loads nothing and runs nothing. */
export function renderReport(report: QualityReport): string;
