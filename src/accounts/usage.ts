/** What was done with a key. */
export interface UsageCounts {
  requests: number;
  exportedRows: number;
  pushedLeads: number;
}

/** The same on one day. */
export interface UsageDay extends UsageCounts {
  /** Of UTC, such as `2026-11-21`. */
  date: string;
}

/** Takes counts of a key, named by its hash, without waiting for a store. */
export interface UsageCounter {
  count(keyHash: string, counts: Partial<UsageCounts>): void;
}

export const noUsage: UsageCounts = { requests: 0, exportedRows: 0, pushedLeads: 0 };

export function addUsage(one: UsageCounts, other: Partial<UsageCounts>): UsageCounts {
  return {
    requests: one.requests + (other.requests ?? 0),
    exportedRows: one.exportedRows + (other.exportedRows ?? 0),
    pushedLeads: one.pushedLeads + (other.pushedLeads ?? 0),
  };
}

/** How many days are shown, today among them (contract A15). */
export const shownDays = 30;

const dayMs = 24 * 60 * 60 * 1000;

/** The day of a moment, in UTC. */
export function dateOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** The first of the shown days. */
export function firstShownDate(now: Date): string {
  return dateOf(new Date(now.getTime() - (shownDays - 1) * dayMs));
}

/** Every shown day, the oldest first: those without a count have zeros. */
export function fillDays(known: readonly UsageDay[], now: Date): UsageDay[] {
  const byDate = new Map(known.map((day) => [day.date, day]));
  return Array.from({ length: shownDays }, (_, place) => {
    const date = dateOf(new Date(now.getTime() - (shownDays - 1 - place) * dayMs));
    return byDate.get(date) ?? { date, ...noUsage };
  });
}
