import { memoize } from '#domain/memoize.ts';
import { nameKey } from '#domain/search/fold.ts';
import * as vocabularies from '#domain/vocabularies.ts';

/*
 * Words that sources use for vocabulary values, one line per value. All other words are unknown: a frequency such as
 * "twice a week" has no matching value.
 */
type Words<Value extends string> = Readonly<Partial<Record<Value, string>>>;

const kindWords: Words<vocabularies.Kind> = {
  outlet: 'outlets, media outlet, news outlet, media, publication, publisher, print, broadcast, broadcaster',
  podcast: 'podcasts, pod, podcast show, audio podcast, video podcast, show',
  newsletter: 'newsletters, news letter, email newsletter, e mail newsletter, substack, mailing list',
};

const typeWords: Words<vocabularies.OutletType> = {
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

const coverageWords: Words<vocabularies.Coverage> = {
  local:
    'city, town, community, hyperlocal, hyper local, municipal, metro, metropolitan, neighborhood, neighbourhood, local area',
  regional: 'region, state, statewide, state wide, province, provincial, county, multi state, district, area',
  national: 'nation, nationwide, nation wide, countrywide, country wide, country, domestic, federal',
  international:
    'global, worldwide, world wide, world, multinational, multi national, transnational, pan european, pan african, pan arab, continental',
};

const citySizeWords: Words<vocabularies.CitySize> = {
  town: 'village, rural, small town',
  small: 'small city',
  medium: 'mid, mid size, midsize, mid sized, medium city, medium sized',
  large: 'big, large city, big city',
  mega: 'megacity, mega city, very large, metropolis',
};

const emailStatusWords: Words<vocabularies.EmailStatus> = {
  valid: 'ok, good, verified, deliverable, safe, safe to send, confirmed, active',
  invalid:
    'bad, undeliverable, bounced, bounce, hard bounce, not valid, rejected, dead, does not exist, spamtrap, spam trap, do not mail, abuse, blocked',
  accept_all: 'catch all, catchall, acceptall, ok for all, catch all domain, risky catch all',
  webmail: 'free, free mail, freemail, free email, personal',
  disposable: 'temporary, temp, throwaway, burner, temporary email',
  unknown: 'unverified, not verified, unchecked, not checked, unverifiable, pending, risky, timeout, not sure',
};

const frequencyWords: Words<vocabularies.Frequency> = {
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

/*
 * Topic words of sources mapped to slugs, one line per slug. Sources: the 19 categories and 90 subcategories of Apple
 * Podcasts, the 17 roots of the IPTC Media Topics, and words that newsrooms use. A word that fits several topics maps
 * to the first.
 */
const topicWords: Readonly<Record<Exclude<vocabularies.Category, 'other'>, string>> = {
  arts: 'art, arts, the arts, books, book, design, performing arts, visual arts, literature, poetry, architecture, theatre, theater, dance, photography, painting, fine art, museums, crafts, illustration, illustrative arts, aesthetics, literary magazine, performing art',
  automotive:
    'automotive, auto, autos, cars, car, motoring, motor car, vehicles, motorcycles, automobile magazine, trucks',
  business:
    'business, careers, career, entrepreneurship, management, marketing, non profit, nonprofit, non profit business, economy, economics, economic, business activity, economy business and finance, industry, trade, advertising, labour, labor, jobs, employment, startups, business newspaper, trade magazine, real estate, local business, business news, construction, agriculture, business journalism, unemployment, agro industry complex',
  climate:
    'climate, climate change, environment, environmental, nature, ecology, sustainability, weather, energy, conservation, wildlife, pollution, green',
  comedy:
    'comedy, comedy interviews, improv, stand up, stand up comedy, humor, humour, satire, satirical newspaper, news satire, humor magazine, political satire, comics, comics anthology',
  crime: 'crime, true crime, police, crime law and justice, disaster accident and emergency incident',
  culture:
    'culture, cultural, society and culture, documentary, cultural magazine, arts culture entertainment and media, arts culture and entertainment, philosophy, language, folklore',
  education:
    'education, courses, how to, language learning, self improvement, schools, school, university, universities, higher education, students, student, teaching, learning, campus, k 12, student newspaper',
  entertainment:
    'entertainment, tv and film, tv and movies, film, films, movies, cinema, film reviews, film history, film interviews, after shows, tv reviews, television, entertainment news, celebrity, celebrities, gossip, gossip magazine, show business, pop culture, media, animation and manga, manga, anime, film industry, fiction, drama, science fiction, comedy fiction, movie theater',
  faith:
    'faith, religion, religion and spirituality, religious, religion and belief, buddhism, buddhist, christianity, hinduism, islam, judaism, spirituality, church, catholic, catholic church, theology, christian, muslim, jewish, bible',
  fashion:
    'fashion, beauty, fashion and beauty, style, fashion magazine, jewellery, jewelry, cosmetics, womens fashion',
  finance:
    'finance, investing, investment, personal finance, money, banking, markets, stock market, stocks, insurance, economic finance, cryptocurrency, blockchain, financial, accounting, tax',
  food: 'food, cooking, food and drink, wine, drink, drinks, restaurants, cuisine, recipes, beer, gastronomy, dining',
  gaming: 'gaming, video games, video game, games, game, esports, e sports, video game news website, board games',
  general_news:
    'news, general news, general, daily news, news commentary, current affairs, breaking news, headlines, world news, world, international, international news, national news, information, news and politics, general interest, comment, opinion, investigative journalism',
  health:
    'health, health and fitness, alternative health, fitness, medicine, medical, mental health, nutrition, sexuality, wellness, wellbeing, well being, yoga, healthcare, health care, pharma, pharmaceuticals, medical journal, meditation',
  history: 'history, historical, heritage, genealogy, archaeology',
  home: 'home, home and garden, home garden, gardening, garden, interior design, interiors, houses, diy, decorating, property, crafts and hobbies',
  kids: 'kids, kids and family, education for kids, stories for kids, children, child, teens, youth, toys',
  legal: 'legal, law, justice, courts, court, law review, legal case, regulation',
  local_news:
    'local news, local, community, community news, regional news, regional, city news, hyperlocal, metro, local newspaper, municipal, neighborhood, neighbourhood',
  music:
    'music, music commentary, music history, music interviews, music magazine, classical music, jazz, rock, pop music, hip hop',
  parenting: 'parenting, parents, family, families, pregnancy, babies, motherhood, fatherhood',
  politics:
    'politics, government, political, policy, public policy, politics and government, elections, international relations, conflict war and peace, conflicts war and peace, war, defence, defense, military, diplomacy, foreign affairs, political journalism, politics of the united states, politics of russia, party newspaper, activism',
  science:
    'science, science and technology, astronomy, chemistry, earth sciences, life sciences, mathematics, natural sciences, physics, social sciences, scientific, scientific journal, popular science, research, space, biology, microbiology, psychology, sociology, aerospace, engineering',
  society:
    'society, social issue, social issues, personal journals, relationships, places and travel society, lifestyle, life style, leisure, lifestyle and leisure, hobbies, human interest, people, women, men, lgbt, lgbtq, lgbt magazine, social, pets and animals, pets, animals, crafts hobbies, aviation, gender studies, homelessness, immigration, diversity, seniors',
  sports:
    'sports, sport, baseball, basketball, cricket, fantasy sports, football, golf, hockey, rugby, running, soccer, swimming, tennis, volleyball, wilderness, wrestling, athletics, cycling, boxing, motorsport, motor sport, sports newspaper, sports news, outdoors, fishing, hunting, horse racing, martial arts, skiing, olympics',
  technology:
    'technology, tech, it, software, hardware, computers, computer, computing, internet, ai, artificial intelligence, gadgets, cybersecurity, programming, web, telecommunications, telecoms, tech news, software how to, podcasting, computer magazine, data, science technology, mobile, electronics, consumer electronics',
  travel:
    'travel, places and travel, tourism, holidays, destinations, hotels, hospitality, adventure, travel and tourism',
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
export const findKind = finder(vocabularies.kinds, kindWords);
export const findOutletType = finder(vocabularies.outletTypes, typeWords);
export const findCoverage = memoize(finder(vocabularies.coverages, coverageWords));
export const findCitySize = memoize(finder(vocabularies.citySizes, citySizeWords));
export const findEmailStatus = memoize(finder(vocabularies.emailStatuses, emailStatusWords));
export const findFrequency = memoize(finder(vocabularies.frequencies, frequencyWords));

const findTopic = finder(vocabularies.categories, topicWords);
/** Finds the topic of a word or phrase in the same way; `&` stands for `and`. */
export const findCategory = memoize((word) => findTopic(word.replaceAll('&', ' and ')));

/**
 * Words for what a medium is, how it is published or who owns it. Topic lists contain them, but they are not topics.
 */
const formWords =
  /^(?:(?:daily|weekly|monthly|online|digital|free|street|alternative|regional|morning|african american|feminist|news|former|trade|open access|academic|student|local|official|print|tabloid|political|public|state|web|electronic) )*(?:newspapers?|periodicals?|websites?|web ?sites?|magazines?|journals?|publishers?|publication(?: by electronic means)?|organi[sz]ation|media(?: company| conglomerate)?|mass media|newspaper publisher|newspaper of record|tabloid(?: journalism)?|broadsheet|serial|news agency|press|blogs?|podcasts?|newsletters?|radio(?: station)?|television (?:channel|station|program|series)|tv(?: station| channel)?|broadcaster|nonprofit organi[sz]ation|company|enterprise|pennysaver|portal|page|database|service|app|paper|bimonthly|brand|work|book publisher)$/;

/** Whether the word names a form of medium (`daily newspaper`, `website`): not a topic, but not a mistake either. */
export const isFormWord = memoize((word) => formWords.test(nameKey(word)));
