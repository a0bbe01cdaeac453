import type { ContactPatch } from '#records/contacts/contact.ts';
import { idOfUnnamedContact } from '#records/contacts/contact-id.ts';
import { personKey } from '#records/contacts/same-person.ts';
import type { Category, EmailStatus, Kind } from '#records/vocabularies.ts';
import beatsOf from './beats.json' with { type: 'json' };
import details from './details.json' with { type: 'json' };
import { type Dice, daysBefore, weighted } from './dice.ts';
import { inventPerson, type Person } from './invent-name.ts';
import type { Locale } from './locale.ts';
import { fictionalNumber } from './places.ts';

/** Where contacts work: what their names, titles and addresses follow from. */
export interface Newsroom {
  id: string;
  kind: Kind;
  categories: readonly Category[];
  locale: Locale;
  host: string;
  url: string;
  country: string | null;
}

const pickEmailStatus = weighted<EmailStatus>(details.emailStatuses);

export function inventEmail(host: string, person: Person | null, dice: Dice): { address: string; status: EmailStatus } {
  const status = pickEmailStatus(dice);
  const mailbox = person !== null && dice.chance(0.6) ? person.mailbox : dice.pick(details.desks);
  if (status === 'webmail') return { address: `${host.slice(0, host.indexOf('.'))}@webmail.example`, status };
  if (status === 'disposable') return { address: `${mailbox}@throwaway.example`, status };
  return { address: `${mailbox}@${host}`, status };
}

/** The contact that a medium has in any case, and who it is if a person. */
export interface FirstContact {
  patch: ContactPatch;
  person: Person | null;
}

/**
 * The contacts of a medium, of whom the first is there already, or null. A third of the media have two to five people, each with
 * beats among the medium's topics and with profiles. A fifth have another desk, and one in fifty an inbox that only programs use.
 */
export function inventContacts(newsroom: Newsroom, first: FirstContact | null, dice: Dice): ContactPatch[] {
  const contacts = dice.chance(1 / 3)
    ? inventPeople(newsroom, first, 2 + dice.below(4), dice)
    : [first?.patch ?? []].flat();
  if (dice.chance(0.2)) contacts.push(inventDesk(newsroom, first, dice));
  if (dice.chance(1 / 50)) contacts.push(inventAutomaticInbox(newsroom, dice));
  return contacts;
}

/** So many people, and before them the first contact if it is a desk. */
function inventPeople(newsroom: Newsroom, first: FirstContact | null, count: number, dice: Dice): ContactPatch[] {
  const contacts: ContactPatch[] = [];
  const names = new Set<string>();
  const titles = new Set<string>();
  if (first !== null) {
    const work = first.person === null ? {} : inventWork(first.person, newsroom.categories, dice);
    contacts.push({ ...first.patch, ...work });
    if (first.person !== null) names.add(personKey(first.person.name));
    titles.add(first.patch.title ?? '');
  }
  while (names.size < count) {
    const topic = dice.pick(newsroom.categories);
    const person = inventPerson(newsroom.locale, newsroom.kind, topic, dice);
    if (names.has(personKey(person.name))) continue;
    // There is one editor-in-chief.
    const title = titles.has(person.title) ? details.furtherTitles[newsroom.kind] : person.title;
    names.add(personKey(person.name));
    titles.add(title);
    contacts.push({
      name: person.name,
      title,
      ...inventWork(person, [topic], dice),
      ...(dice.chance(0.85) ? inventVerifiedEmail(newsroom, person, dice) : {}),
      phone: newsroom.country !== null && dice.chance(0.3) ? fictionalNumber(newsroom.country, dice) : null,
    });
  }
  return contacts;
}

/** What a person covers, and where she is on the web. */
function inventWork(
  { mailbox }: Person,
  topics: readonly Category[],
  dice: Dice,
): Pick<ContactPatch, 'beats' | 'links'> {
  const beats = new Set(topics.flatMap((topic) => beatsOf[topic]).filter(() => dice.chance(0.6)));
  return {
    beats: [...beats].slice(0, 3),
    links: [
      ...(dice.chance(0.5) ? [`https://linkedin.example/in/${mailbox}`] : []),
      ...(dice.chance(0.4) ? [`https://social.example/@${mailbox}`] : []),
    ],
  };
}

function inventVerifiedEmail({ host, url }: Newsroom, person: Person, dice: Dice): Partial<ContactPatch> {
  const status = pickEmailStatus(dice);
  const domain = status === 'webmail' ? 'webmail.example' : status === 'disposable' ? 'throwaway.example' : host;
  return {
    email: `${person.mailbox}@${domain}`,
    email_status: status,
    email_source: dice.chance(0.8) ? url + dice.pick(details.contactPages) : null,
    last_verified_at: dice.chance(0.85) ? daysBefore(dice.below(600), dice) : null,
  };
}

/** A desk with a name, at another address than the first contact. */
function inventDesk({ kind, host }: Newsroom, first: FirstContact | null, dice: Dice): ContactPatch {
  const desks = details.namedDesks[kind].filter(({ mailbox }) => `${mailbox}@${host}` !== first?.patch.email);
  const { name, mailbox } = dice.pick(desks);
  return { name, email: `${mailbox}@${host}`, email_status: dice.pick(['valid', 'accept_all', 'unknown']) };
}

/** Its id follows from the record: a contact without a name and a title would have a random one. */
function inventAutomaticInbox({ id, host }: Newsroom, dice: Dice): ContactPatch {
  return { id: idOfUnnamedContact(id, 0), email: `${dice.pick(details.automaticInboxes)}@${host}` };
}
