import { wordsOfUse } from '#languages/words.ts';
import type { ContactKind, ContactValues } from './contact.ts';
import { isPerson, type NamedMedium } from './people.ts';

/** Local parts, without `.`, `-` and `_`, that only programs read or write (contract A18). */
const automaticInboxes: ReadonlySet<string> = new Set(wordsOfUse('inbox.automatic'));

/** What a contact of a medium is. A person's name makes it a person, whatever the address. */
export function contactKindOf(
  { name, email }: Pick<ContactValues, 'name' | 'email'>,
  medium: NamedMedium,
): ContactKind {
  if (name && isPerson(name, medium)) return 'person';
  return email && isAutomaticInbox(email) ? 'automatic' : 'desk';
}

function isAutomaticInbox(email: string): boolean {
  const local = email.slice(0, email.lastIndexOf('@')).toLowerCase();
  return automaticInboxes.has(local.replaceAll(/[._-]/g, ''));
}
