import { viewSending } from './export.js';
import { openList } from './open-list.js';
import { readState } from './search-state.js';
import { hasDeclined, rowKey, subjectOf } from './views/record-parts.js';

/** @typedef {import('./account-lists.js').Row} Row */

/**
 * The popups that export and push the selected rows of the open list; without any, those of the chosen status, or the list. The API
 * exports only whole lists, so as many rows of a status are sent as were read.
 * @param {import('./export.js').Service} service @param {import('./open-list.js').ListView} view
 * @param {{ selection: import('./rows.js').Selection, selected: readonly Row[], whole: readonly Row[] | null, listed: import('./views/record-parts.js').Listed }} rows
 * `whole`: all of the list, if they were read; `listed`: what other lists have
 */
export function viewSendingOfList(service, view, { selection, selected, whole, listed }) {
  const { page, rows } = openList;
  const ofStatus = whole?.filter(({ status }) => status === view.status) ?? page?.results ?? [];
  const isAll = selection.rows.size === whole?.length;
  const sent = view.status !== '' && selection.rows.size === 0 ? ofStatus : isAll ? [] : selected;
  const keysSent = new Set(sent.map(rowKey));
  const concerned = sent.length > 0 ? sent : (whole ?? []);
  const declined = view.status === 'declined' ? [] : concerned.filter((row) => hasDeclined(row, listed));
  return viewSending(service, readState(new URLSearchParams({ list: view.list })), sent, {
    ofPeople: [...rows.values()].some(namesContact),
    unsent: [...rows.values()].filter((row) => !keysSent.has(rowKey(row))),
    declined: declined.length,
    lost: countLost(concerned),
  });
}

/** Whether an entry names a contact, and not only a medium. @param {Row} row */
const namesContact = (row) => subjectOf(row).contact_id !== null;

/** A file of people has no row for a medium without contacts, or with some of its own in the list. @param {readonly Row[]} entries @returns {import('./export.js').Lost} */
function countLost(entries) {
  const named = new Set(entries.filter(namesContact).map(({ record }) => record.id));
  const media = entries.filter(
    (row) => !namesContact(row) && (row.record.contact_count === 0 || named.has(row.record.id)),
  );
  return { media: media.length, people: entries.filter(({ contact }) => contact).length };
}
