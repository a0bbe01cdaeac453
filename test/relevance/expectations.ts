/** What one query must and must not find among testing/known-media.ts, on every backend. */
export interface Expectation {
  query: string;
  /** Ids that must be among the results; nothing may be found if this is empty and `first` is absent. */
  finds: readonly string[];
  not?: readonly string[];
  /** The id that must come before all others. */
  first?: string;
}

/** The promises of the contract (A3) about `q`, by promise. */
export const expectations: Readonly<Record<string, readonly Expectation[]>> = {
  'a whole name comes first, whatever is larger or longer': [
    { query: 'quarrymen', finds: ['quarrymen', 'quarrymen-herald', 'quarrymen-sunday'], first: 'quarrymen' },
    { query: 'QUARRYMEN', finds: ['quarrymen'], first: 'quarrymen' },
    { query: 'The Quarrymen Herald', finds: ['quarrymen-herald'], first: 'quarrymen-herald' },
    { query: 'quarrymen herald on sunday', finds: ['quarrymen-sunday'], first: 'quarrymen-sunday' },
    { query: '  the   quarrymen herald. ', finds: ['quarrymen-herald'], first: 'quarrymen-herald' },
  ],
  'an alias counts as a name': [
    { query: 'Stonecutter Times', finds: ['quarrymen-herald'], first: 'quarrymen-herald' },
    { query: 'tqh', finds: ['quarrymen-herald'], first: 'quarrymen-herald' },
    { query: 'vecherny krugozor', finds: ['russian'], first: 'russian' },
    { query: 'Minghai Denglong', finds: ['chinese'], first: 'chinese' },
  ],
  'a word being typed matches as a prefix': [
    { query: 'quarr', finds: ['quarrymen', 'quarrymen-herald', 'quarrymen-sunday'] },
    { query: 'quarrymen her', finds: ['quarrymen-herald', 'quarrymen-sunday'], not: ['quarrymen'] },
    { query: 'wherrym', finds: ['leeds-paper'], first: 'leeds-paper' },
    { query: 'веч', finds: ['russian'] },
    { query: 'מגדל', finds: ['hebrew'] },
    { query: 'नवलो', finds: ['hindi'] },
  ],
  'word order does not matter': [
    { query: 'wherryman leeds', finds: ['leeds-paper'], first: 'leeds-paper' },
    { query: 'herald quarrymen', finds: ['quarrymen-herald', 'quarrymen-sunday'] },
    { query: 'кругозор вечерний', finds: ['russian'], first: 'russian' },
  ],
  'a phrase is found only in its order': [
    { query: '"crooked lane"', finds: ['crooked-lane', 'sports-magazine'], not: ['lane-crooked'] },
    { query: '"Lane Crooked"', finds: [], not: ['crooked-lane', 'lane-crooked'] },
    { query: '"crooked lane" chronicle', finds: ['crooked-lane'], not: ['sports-magazine', 'lane-crooked'] },
    { query: '“crooked lane”', finds: ['crooked-lane'], not: ['lane-crooked'] },
    { query: '"crooked lane', finds: ['crooked-lane'], first: 'crooked-lane' },
    { query: '"灯笼日报"', finds: ['chinese'], not: ['chinese-weekly', 'japanese'] },
  ],
  'a minus leaves out': [
    { query: 'quarrymen -sunday', finds: ['quarrymen', 'quarrymen-herald'], not: ['quarrymen-sunday'] },
    { query: 'crooked -"crooked lane"', finds: ['lane-crooked'], not: ['crooked-lane', 'sports-magazine'] },
    { query: 'quarrymen -herald -sunday', finds: ['quarrymen'], not: ['quarrymen-herald', 'quarrymen-sunday'] },
    { query: 'quarrymen - herald', finds: ['quarrymen-herald'], first: 'quarrymen-herald' },
    { query: '-quarrymen', finds: ['leeds-paper', 'chinese'], not: ['quarrymen', 'quarrymen-herald'] },
  ],
  'small slips are forgiven': [
    { query: 'quarymen herald', finds: ['quarrymen-herald'] },
    { query: 'wherrmyan', finds: ['leeds-paper'], first: 'leeds-paper' },
    { query: 'leeds wherrymtar', finds: ['leeds-paper'], first: 'leeds-paper' },
    { query: 'biscaine weathercock', finds: ['miami-english'], first: 'miami-english' },
    { query: 'вечерний кругзор', finds: ['russian'], first: 'russian' },
    { query: 'strasenlaterne', finds: ['sharp-s'], first: 'sharp-s' },
  ],
  'case, accents and punctuation are forgiven': [
    { query: "l'eclaireur des etangs", finds: ['apostrophe'], first: 'apostrophe' },
    { query: 'LECLAIREUR', finds: ['apostrophe'] },
    { query: 'éclaireur étangs', finds: ['apostrophe'], first: 'apostrophe' },
    { query: 'tygodnik lakowy', finds: ['polish'], first: 'polish' },
    { query: 'strassenlaterne koln', finds: ['sharp-s'], first: 'sharp-s' },
    { query: 'ISIKLI PUSULA', finds: ['turkish'], first: 'turkish' },
    { query: 'pregon de la meseta', finds: ['madrid-spanish'], first: 'madrid-spanish' },
    { query: 'r&d lantern', finds: ['ampersand'], first: 'ampersand' },
    { query: 'R & D', finds: ['ampersand'] },
    { query: 'route 66', finds: ['numbers'], first: 'numbers' },
    { query: 'φαναρι της γεφυρας', finds: ['greek'], first: 'greek' },
    { query: 'ＲＯＵＴＥ　６６', finds: ['numbers'], first: 'numbers' },
  ],
  'every script works, whole and in part': [
    { query: '明海灯笼日报', finds: ['chinese'], first: 'chinese' },
    { query: '灯笼', finds: ['chinese'], not: ['chinese-weekly', 'japanese'] },
    { query: '明海', finds: ['chinese'], not: ['chinese-weekly'] },
    { query: '灯台', finds: ['japanese'], not: ['chinese'] },
    { query: 'かわら版', finds: ['japanese'], first: 'japanese' },
    { query: 'ベロラ', finds: ['katakana'], first: 'katakana' },
    { query: '등대', finds: ['korean'] },
    { query: '한나빛 등대소식', finds: ['korean'], first: 'korean' },
    { query: 'โคมไฟ', finds: ['thai'] },
    { query: 'ВЕЧЕРНИЙ КРУГОЗОР', finds: ['russian'], first: 'russian' },
    { query: 'منارة نوريا', finds: ['arabic'], first: 'arabic' },
    { query: 'مَنارَة نُوريا', finds: ['arabic'], first: 'arabic' },
    { query: 'טלרון', finds: ['hebrew'] },
    { query: 'दर्पण नवलोक', finds: ['hindi'], first: 'hindi' },
  ],
  'words for a kind, a type, a topic, a place and a language count as such': [
    { query: 'tech newsletters', finds: ['tech-newsletter'], not: ['tech-podcast', 'food-newsletter'] },
    { query: 'technology podcast', finds: ['tech-podcast'], not: ['tech-newsletter', 'history-podcast'] },
    { query: 'radio leeds', finds: ['leeds-radio'], not: ['leeds-paper', 'york-radio'] },
    { query: 'radio station leeds', finds: ['leeds-radio'], first: 'leeds-radio', not: ['leeds-paper'] },
    { query: 'leeds newspapers', finds: ['leeds-paper'], not: ['leeds-radio'] },
    { query: 'miami español', finds: ['miami-spanish'], not: ['miami-english', 'madrid-spanish'] },
    { query: 'noticias miami español', finds: ['miami-spanish'], first: 'miami-spanish', not: ['bergen-tv'] },
    { query: 'radio texas', finds: ['austin-radio'], not: ['leeds-radio', 'york-radio'] },
    { query: 'sports magazine ireland', finds: ['sports-magazine'], not: ['leeds-paper'] },
    { query: 'television norway', finds: ['bergen-tv'], not: ['wire'] },
    { query: 'german history podcasts', finds: ['history-podcast'], not: ['tech-podcast'] },
    { query: 'food newsletter', finds: ['food-newsletter'], not: ['tech-newsletter'] },
    { query: 'news agency montreal', finds: ['wire'], not: ['miami-english'] },
  ],
  'small words between the others narrow nothing': [
    { query: 'the quarrymen', finds: ['quarrymen', 'quarrymen-herald'] },
    { query: 'newsletter on food', finds: ['food-newsletter'], not: ['tech-newsletter'] },
    { query: 'podcasts about technology', finds: ['tech-podcast'], not: ['history-podcast'] },
    { query: 'radio stations in texas', finds: ['austin-radio'], not: ['leeds-paper'] },
    { query: 'tv in norway', finds: ['bergen-tv'], first: 'bergen-tv', not: ['miami-english'] },
    { query: 'periódicos de madrid', finds: ['madrid-spanish'], first: 'madrid-spanish' },
  ],
  'a host or a pasted URL finds its medium': [
    { query: 'nightferry.example', finds: ['ferry'], first: 'ferry', not: ['ferry-feed'] },
    { query: 'www.nightferry.example', finds: ['ferry'], first: 'ferry' },
    { query: 'https://www.NightFerry.example/timetable?day=2#top', finds: ['ferry'], first: 'ferry' },
    { query: 'http://nightferry.example', finds: ['ferry'], first: 'ferry' },
    { query: 'somebody@nightferry.example', finds: ['ferry'], first: 'ferry' },
    { query: 'nightferry', finds: ['ferry'], first: 'ferry' },
    { query: 'tidewrack.example', finds: ['ferry-feed'], first: 'ferry-feed' },
    { query: 'feeds.tidewrack.example', finds: ['ferry-feed'], first: 'ferry-feed' },
    { query: 'quarrymen-herald.example', finds: ['quarrymen-herald'], first: 'quarrymen-herald' },
    { query: 'quarrymen -nightferry.example', finds: ['quarrymen'], not: ['ferry'] },
  ],
  'an address finds what its host finds, and nothing more': [
    { query: 'purser', finds: [], not: ['ferry'] },
    { query: '"purser@nightferry.example"', finds: ['ferry'] },
  ],
  'a long query need not match in every word': [
    {
      query: 'weekly newsletter about chips and software from san francisco with long interviews',
      finds: ['tech-newsletter'],
      first: 'tech-newsletter',
    },
    { query: 'the leeds wherryman newspaper of england gazette', finds: ['leeds-paper'], first: 'leeds-paper' },
  ],
  'nonsense finds nothing': [
    { query: 'xqzvbnwkj', finds: [] },
    { query: 'wrtplkqx zzyxvvq', finds: [] },
    { query: 'ъыьщщъ', finds: [] },
    { query: '龘靐齉', finds: [] },
    { query: 'no-such-host-anywhere.example', finds: [] },
  ],
};
