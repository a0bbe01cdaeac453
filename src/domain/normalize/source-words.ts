import { nameKey } from '#domain/search/fold.ts';
import {
  type CitySize,
  type Coverage,
  citySizes,
  coverages,
  type EmailStatus,
  emailStatuses,
  type Frequency,
  frequencies,
  type Kind,
  kinds,
  type OutletType,
  outletTypes,
} from '#domain/vocabularies.ts';

/*
 * Words that sources use for vocabulary values, one line per value. All other words are unknown: a frequency such as
 * "twice a week" has no matching value.
 */
type Words<Value extends string> = Readonly<Partial<Record<Value, string>>>;

const kindWords: Words<Kind> = {
  outlet: 'outlets, media outlet, news outlet, media, publication, publisher, print, broadcast, broadcaster',
  podcast: 'podcasts, pod, podcast show, audio podcast, video podcast, show',
  newsletter: 'newsletters, news letter, email newsletter, e mail newsletter, substack, mailing list',
};

const typeWords: Words<OutletType> = {
  newspaper:
    'newspapers, paper, news paper, daily, daily newspaper, weekly newspaper, community newspaper, local newspaper, student newspaper, tabloid, broadsheet, gazette, press, zeitung, tageszeitung, journal quotidien, quotidien, periodico, diario, jornal, giornale, quotidiano, gazeta, krant, avis, tidning',
  magazine:
    'magazines, magazin, mag, periodical, news magazine, trade magazine, consumer magazine, revista, revue, zeitschrift, rivista, tijdschrift, glossy, zine',
  journal:
    'journals, academic journal, scientific journal, trade journal, medical journal, law review, scholarly journal, peer reviewed journal',
  tv: 'television, tv station, tv channel, tv network, television station, television channel, television network, television program, tv show, tv program, broadcast tv, broadcast television, cable, cable tv, fernsehen, televisione, televisao, tele, video',
  radio:
    'radio station, radio stations, radio network, radio show, radio program, broadcast radio, am, fm, am radio, fm radio, rundfunk, emisora',
  online:
    'website, web site, web, site, internet, digital, online news, online newspaper, online magazine, news website, news site, web portal, portal, online publication, digital publication, online only, e zine, ezine, news portal',
  blog: 'blogs, weblog, web log, blogger, vlog',
  wire: 'wire service, news wire, newswire, news agency, agency, press agency, nachrichtenagentur, wire agency, syndicate',
  other: 'others, misc, miscellaneous',
};

const coverageWords: Words<Coverage> = {
  local:
    'city, town, community, hyperlocal, hyper local, municipal, metro, metropolitan, neighborhood, neighbourhood, local area',
  regional: 'region, state, statewide, state wide, province, provincial, county, multi state, district, area',
  national: 'nation, nationwide, nation wide, countrywide, country wide, country, domestic, federal',
  international:
    'global, worldwide, world wide, world, multinational, multi national, transnational, pan european, pan african, pan arab, continental',
};

const citySizeWords: Words<CitySize> = {
  town: 'village, rural, small town',
  small: 'small city',
  medium: 'mid, mid size, midsize, mid sized, medium city, medium sized',
  large: 'big, large city, big city',
  mega: 'megacity, mega city, very large, metropolis',
};

const emailStatusWords: Words<EmailStatus> = {
  valid: 'ok, good, verified, deliverable, safe, safe to send, confirmed, active',
  invalid:
    'bad, undeliverable, bounced, bounce, hard bounce, not valid, rejected, dead, does not exist, spamtrap, spam trap, do not mail, abuse, blocked',
  accept_all: 'catch all, catchall, acceptall, ok for all, catch all domain, risky catch all',
  webmail: 'free, free mail, freemail, free email, personal',
  disposable: 'temporary, temp, throwaway, burner, temporary email',
  unknown: 'unverified, not verified, unchecked, not checked, unverifiable, pending, risky, timeout, not sure',
};

const frequencyWords: Words<Frequency> = {
  daily:
    'every day, each day, day, weekdays, business days, monday to friday, mon fri, 7 days a week, 5 days a week, 6 days a week, twice daily, taglich, quotidien, diario, diaria',
  weekly: 'every week, once a week, each week, week, 1 week, every 7 days, wochentlich, hebdomadaire, semanal',
  biweekly:
    'bi weekly, every two weeks, every 2 weeks, every other week, fortnightly, fortnight, twice a month, twice monthly, semi monthly, semimonthly, 2 times a month, every 14 days',
  monthly: 'every month, once a month, each month, month, 12 times a year, monatlich, mensuel, mensual',
  quarterly:
    'every quarter, every three months, every 3 months, quarter, four times a year, 4 times a year, seasonal, seasonally',
  irregular:
    'irregularly, occasional, occasionally, sporadic, ad hoc, adhoc, varies, variable, infrequent, as needed, sometimes',
  continuous:
    'continuously, continual, constantly, hourly, 24 7, 24 hours, live, rolling, round the clock, real time, realtime, always, several times a day, multiple times a day, multiple times daily',
};

function finder<Value extends string>(
  vocabulary: readonly Value[],
  words: Words<Value>,
): (text: string) => Value | null {
  const values = new Map<string, Value>();
  for (const value of vocabulary) {
    for (const word of [value.replaceAll('_', ' '), ...(words[value]?.split(', ') ?? [])]) {
      if (!values.has(word)) values.set(word, value);
    }
  }
  return (text) => values.get(nameKey(text)) ?? null;
}

/** Finds the value of a source's word, ignoring case and accents; null if unknown. */
export const findKind = finder(kinds, kindWords);
export const findOutletType = finder(outletTypes, typeWords);
export const findCoverage = finder(coverages, coverageWords);
export const findCitySize = finder(citySizes, citySizeWords);
export const findEmailStatus = finder(emailStatuses, emailStatusWords);
export const findFrequency = finder(frequencies, frequencyWords);
