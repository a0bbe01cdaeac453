import { html } from '../dom.js';
import { locale } from '../locale.js';

/** What was done with a key on a day in UTC. @typedef {{ date: string, requests: number, exported_rows: number, pushed_leads: number }} UsageDay */

/** @typedef {'requests' | 'exported_rows' | 'pushed_leads'} Measure */

/** @type {readonly Measure[]} */
const measures = ['requests', 'exported_rows', 'pushed_leads'];

/** Of a plot, in its own units. */
const [barWidth, gap, height] = [8, 2, 48];

/** The use of a key as bars, one plot for each measure, and as a table. @param {{ days: readonly UsageDay[] }} props */
export function Usage({ days }) {
  const { text, count, date } = locale;
  const { key: words } = text;
  return html`<section aria-labelledby="usage">
    <h2 id="usage">${words.usage(days.length)}</h2>
    <div class="plots">
      ${measures.map((measure) => html`<${Plot} key=${measure} label=${words.measures[measure]} days=${days} measure=${measure} />`)}
    </div>
    <details>
      <summary>${words.asTable}</summary>
      <div class="table" role="region" aria-label=${words.asTable} tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">${words.day}</th>
              ${measures.map((measure) => html`<th key=${measure} scope="col" class="number">${words.measures[measure]}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${days.toReversed().map(
              (day) => html`<tr key=${day.date}>
                <th scope="row">${date(day.date)}</th>
                ${measures.map((measure) => html`<td key=${measure} class="number" data-label=${words.measures[measure]}>${count(day[measure])}</td>`)}
              </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </section>`;
}

/** A bar for each day, the oldest first. @param {{ label: string, days: readonly UsageDay[], measure: Measure }} props */
function Plot({ label, days, measure }) {
  const { text, count, date } = locale;
  const { key: words } = text;
  const most = Math.max(...days.map((day) => day[measure]), 1);
  const total = days.reduce((sum, day) => sum + day[measure], 0);
  const [first, last] = [days.at(0), days.at(-1)];
  return html`<figure class="card">
    <figcaption><strong>${count(total)}</strong> ${label}</figcaption>
    <svg viewBox="0 0 ${days.length * (barWidth + gap)} ${height}" role="img" aria-label=${words.plot(label, count(Math.max(...days.map((day) => day[measure]), 0)))} preserveAspectRatio="none">
      ${days.map((day, at) => {
        // A day with anything is seen.
        const bar = day[measure] === 0 ? 0 : Math.max((height * day[measure]) / most, 2);
        return html`<rect key=${day.date} x=${at * (barWidth + gap)} y=${height - bar} width=${barWidth} height=${bar}>
          <title>${date(day.date)}: ${count(day[measure])}</title>
        </rect>`;
      })}
    </svg>
    ${first && last ? html`<p class="note">${date(first.date)} – ${date(last.date)}</p>` : null}
  </figure>`;
}
