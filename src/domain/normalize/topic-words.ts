import { nameKey } from '#domain/search/fold.ts';
import { type Category, categories } from '#domain/vocabularies.ts';

/*
 * Topic words of sources mapped to slugs, one line per slug. Sources: the 19 categories and 90 subcategories of Apple
 * Podcasts, the 17 roots of the IPTC Media Topics, and words that newsrooms use. A word that fits several topics maps
 * to the first.
 */
const words: Readonly<Record<Exclude<Category, 'other'>, string>> = {
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

const categoriesByWord = new Map<string, Category>([['other', 'other']]);
for (const category of categories) {
  if (category === 'other') continue;
  for (const word of [category.replaceAll('_', ' '), ...words[category].split(', ')]) {
    if (!categoriesByWord.has(word)) categoriesByWord.set(word, category);
  }
}

/** The topic of a word or phrase, ignoring case and accents and with `&` for `and`; null if unknown. */
export function findCategory(word: string): Category | null {
  return categoriesByWord.get(nameKey(word.replaceAll('&', ' and '))) ?? null;
}

/**
 * Words for what a medium is, how it is published or who owns it. Topic lists contain them, but they are not topics.
 */
const formWords =
  /^(?:(?:daily|weekly|monthly|online|digital|free|street|alternative|regional|morning|african american|feminist|news|former|trade|open access|academic|student|local|official|print|tabloid|political|public|state|web|electronic) )*(?:newspapers?|periodicals?|websites?|web ?sites?|magazines?|journals?|publishers?|publication(?: by electronic means)?|organi[sz]ation|media(?: company| conglomerate)?|mass media|newspaper publisher|newspaper of record|tabloid(?: journalism)?|broadsheet|serial|news agency|press|blogs?|podcasts?|newsletters?|radio(?: station)?|television (?:channel|station|program|series)|tv(?: station| channel)?|broadcaster|nonprofit organi[sz]ation|company|enterprise|pennysaver|portal|page|database|service|app|paper|bimonthly|brand|work|book publisher)$/;

/** Whether the word names a form of medium (`daily newspaper`, `website`): not a topic, but not a mistake either. */
export function isFormWord(word: string): boolean {
  return formWords.test(nameKey(word));
}
