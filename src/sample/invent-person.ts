import type { Category, Kind } from '#records/vocabularies.ts';
import type { Dice } from './dice.ts';
import type { Locale } from './locale.ts';

/** A person who does not exist. */
export interface Person {
  name: string;
  title: string;
  /** The local part of an address. */
  mailbox: string;
}

const titles: Readonly<Record<Kind, readonly string[]>> = {
  outlet: [
    'Editor-in-chief',
    'Managing editor',
    'News editor',
    'Reporter',
    'Deputy editor',
    'Desk editor',
    'Programme director',
  ],
  podcast: ['Host', 'Producer', 'Co-host', 'Executive producer'],
  newsletter: ['Writer', 'Founder', 'Editor', 'Publisher'],
};

export function inventPerson(locale: Locale, kind: Kind, topic: Category, dice: Dice): Person {
  const given = dice.pick(locale.given);
  const family = dice.pick(locale.family);
  const space = locale.isRomanised && locale.familyFirst ? '' : ' ';
  const name = locale.familyFirst ? family.text + space + given.text : given.text + space + family.text;
  return { name, title: pickTitle(locale, kind, topic, dice), mailbox: `${given.slug}.${family.slug}` };
}

function pickTitle(locale: Locale, kind: Kind, topic: Category, dice: Dice): string {
  if (locale.titles.length > 0 && dice.chance(0.4)) return dice.pick(locale.titles);
  if (kind === 'outlet' && dice.chance(0.3)) {
    const desk = topic.replaceAll('_', ' ');
    return `${desk.charAt(0).toUpperCase()}${desk.slice(1)} editor`;
  }
  return dice.pick(titles[kind]);
}
