import { html } from '../dom.js';
import { date, word, write } from '../words.js';

/** What was done with a key on a day in UTC. @typedef {{ date: string, requests: number, exported_rows: number, pushed_leads: number }} UsageDay */

/** @typedef {'requests' | 'exported_rows' | 'pushed_leads'} Measure */

/** @type {Record<Measure, string>} */
const measures = { requests: 'requests', exported_rows: 'exported rows', pushed_leads: 'pushed leads' };
const measured = /** @type {[Measure, string][]} */ (Object.entries(measures));

/** Of a plot, in its own units. */
const [barWidth, gap, height] = [8, 2, 48];

/** The use of a key as bars, one plot for each measure. @param {{ days: readonly UsageDay[] }} props */
export function Usage({ days }) {
  return html`<section aria-labelledby="usage">
    <h2 id="usage">Use of the last ${write(days.length)} days</h2>
    <div class="plots tiles">${measured.map(([measure, label]) => html`<${Plot} key=${measure} label=${label} days=${days} measure=${measure} />`)}</div>
  </section>`;
}

/** A bar for each day, the oldest first. @param {{ label: string, days: readonly UsageDay[], measure: Measure }} props */
function Plot({ label, days, measure }) {
  const most = Math.max(...days.map((day) => day[measure]), 0);
  const total = days.reduce((sum, day) => sum + day[measure], 0);
  const [first, last] = [days.at(0), days.at(-1)];
  const used = days.filter((day) => day[measure] > 0).map((day) => `${date(day.date)}: ${write(day[measure])}`);
  return html`<figure class="card">
    <figcaption><strong>${write(total)}</strong> ${label}</figcaption>
    <svg viewBox="0 0 ${days.length * (barWidth + gap)} ${height}" role="img" aria-label="${word(label)} by day: ${used.join('; ') || 'none'}" preserveAspectRatio="none">
      ${days.map((day, at) => {
        // A day with anything is seen.
        const bar = day[measure] === 0 ? 0 : Math.max((height * day[measure]) / most, 2);
        return html`<rect key=${day.date} x=${at * (barWidth + gap)} y=${height - bar} width=${barWidth} height=${bar}>
          <title>${date(day.date)}: ${write(day[measure])}</title>
        </rect>`;
      })}
    </svg>
    ${first && last ? html`<p class="note">${date(first.date)} – ${date(last.date)}</p>` : null}
  </figure>`;
}
