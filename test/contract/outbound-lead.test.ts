import { describe, expect, it } from 'vitest';
import { toLead } from '#outbound/outbound-lead.ts';
import type { MediaRecord } from '#records/media-record.ts';
import { madeRecord } from '#testing/made-record.ts';

describe('a record as a lead', () => {
  it('has the names, places and addresses that tools ask for', () => {
    const lead = toLead(
      madeRecord({
        id: 'a',
        name: 'The Echo',
        url: 'https://www.echo.example/news',
        email: 'desk@echo.example',
        contact_name: 'Ulla von der Leyen',
        city: 'Leeds',
        country: 'GB',
        country_name: 'United Kingdom',
        categories: ['music', 'arts'],
      }),
    );
    expect(lead).toMatchObject({
      email: 'desk@echo.example',
      firstName: 'Ulla',
      lastName: 'von der Leyen',
      companyName: 'The Echo',
      website: 'https://www.echo.example/news',
      domain: 'echo.example',
      location: 'Leeds, United Kingdom',
      topics: 'music|arts',
      audience: null,
    });
  });

  const medium = { name: 'Harbour Talk', url: 'https://www.quayside.example/talk', platform: 'PodPlace' };
  const greeted = (contact_name: string, of: Partial<MediaRecord> = medium) => {
    const lead = toLead(madeRecord({ id: 'a', email: 'desk@echo.example', ...of, contact_name }));
    return `${lead?.firstName} ${lead?.lastName}`.trim();
  };

  it.each([
    ...['Jane Doe', 'José García Márquez', 'Dr. Ute Müller', 'J. R. Smith', 'TJ Duckett', 'Robert King', 'Mike'],
    ...['bobbye brooks', 'Yutaka Kitamura', 'Van Morrison', 'Ludwig van Beethoven', 'Иван Петров', '王小明', '김 민준'],
  ])('greets the person %j', (name) => {
    expect(greeted(name).split(' ').toSorted()).toEqual(
      name
        .replace(/^Dr\. /, '')
        .split(' ')
        .toSorted(),
    );
  });

  it('greets the first of several people, and a person whose show has their name', () => {
    expect(greeted('Jane Doe and Bob Jones')).toBe('Jane Doe');
    expect(greeted('Scott & Vicki Kubacki')).toBe('Scott');
    expect(greeted('John Smith (Editor)')).toBe('John Smith');
    expect(greeted('Jenny Erikson', { name: 'The Jenny Erikson Radio Show' })).toBe('Jenny Erikson');
  });

  it.each([
    ...['PodPlace.com', 'Hörfunk Media GmbH', 'Wisconsin Public Radio', 'Grace Church', 'Keith King Productions'],
    ...['News Desk', 'Editor-in-Chief', 'Press', 'The Team', 'Redaktion', 'La Redacción', 'Équipe éditoriale'],
    ...['Universidad de Chile', 'Université Laval', 'Associação Cultural', 'Verlag Hansen', 'Smith & Sons Ltd', 'KCRW'],
    ...['Harbour Talk', 'harbour talk podcast', 'HARBOUR', 'Talk', 'PodPlace', 'Quayside', 'Quayside Harbour'],
    ...['desk@echo.example', 'Film and Music, Australia', 'Radio Bremen', '北京编辑部', 'Le Village', 'Retroid'],
    ...['850 WFTL', 'Redazione'],
  ])('greets nobody at %j, and leaves the contact as it is', (name) => {
    expect(greeted(name)).toBe('');
  });

  it('greets nobody by the name of the medium', () => {
    expect(greeted('Justin Case', { name: 'Justin Case' })).toBe('');
  });

  it('does not exist without an address', () => {
    expect(toLead(madeRecord({ id: 'a' }))).toBeNull();
  });
});
