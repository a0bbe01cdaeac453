import { once } from '#domain/memoize.ts';
import { spellingsIn } from './place-spellings.ts';

/**
 * Names of larger cities in the languages spoken there, and other common and former ones, by country. Of each city first
 * the name under which GeoNames lists it.
 */
const citiesByCountry: Readonly<Record<string, string>> = {
  AE: 'Dubai = دبي; Abu Dhabi = أبوظبي, أبو ظبي; Sharjah = الشارقة',
  AF: 'Kabul = کابل; Herat = هرات; Kandahar = کندهار',
  AL: 'Tirana = Tiranë',
  AM: 'Yerevan = Երևան, Erevan, Ереван',
  AT: 'Vienna = Wien',
  AZ: 'Baku = Bakı, Баку',
  BA: 'Sarajevo = Сарајево',
  BD: 'Dhaka = ঢাকা, Dacca; Chittagong = চট্টগ্রাম, Chattogram; Khulna = খুলনা; Rajshahi = রাজশাহী; Sylhet = সিলেট',
  BE: 'Brussels = Bruxelles, Brussel, City of Brussels; Antwerpen = Antwerp, Anvers; Gent = Ghent, Gand; Brugge = Bruges; Liège = Luik; Leuven = Louvain',
  BG: 'Sofia = София; Plovdiv = Пловдив; Varna = Варна; Burgas = Бургас',
  BH: 'Manama = المنامة',
  BR: 'São Paulo = Sampa; Brasília = Brasilia',
  BY: "Minsk = Мінск, Минск; Homyel' = Gomel, Гомель; Hrodna = Grodno, Гродна, Гродно; Brest = Брэст, Брест; Vitebsk = Віцебск, Витебск; Mahilyow = Mogilev, Магілёў, Могилёв",
  CH: 'Zürich = Zurich; Genève = Geneva, Genf, Ginevra; Basel = Basle, Bâle; Bern = Berne; Luzern = Lucerne; Sankt Gallen = St. Gallen',
  CN: 'Beijing = 北京, Peking; Shanghai = 上海; Guangzhou = 广州, 廣州, Canton; Shenzhen = 深圳; Tianjin = 天津; Wuhan = 武汉, 武漢; Chengdu = 成都; Chongqing = 重庆, 重慶; Nanjing = 南京, Nanking; Hangzhou = 杭州; Xi’an = 西安, Xian; Shenyang = 沈阳, 瀋陽; Harbin = 哈尔滨, 哈爾濱; Qingdao = 青岛, 青島; Dalian = 大连, 大連; Jinan = 济南, 濟南; Zhengzhou = 郑州, 鄭州; Changsha = 长沙, 長沙; Kunming = 昆明; Fuzhou = 福州; Xiamen = 厦门, 廈門; Suzhou = 苏州, 蘇州; Ürümqi = 乌鲁木齐, Urumchi; Lhasa = 拉萨',
  CU: 'Havana = La Habana',
  CY: 'Nicosia = Λευκωσία, Lefkosia, Lefkoşa; Limassol = Λεμεσός, Lemesos',
  CZ: 'Prague = Praha, Prag; Brno = Brünn; Pilsen = Plzeň',
  DE: 'Munich = München, Muenchen; Köln = Cologne, Koeln; Nürnberg = Nuremberg, Nuernberg; Hannover = Hanover; Frankfurt am Main = Frankfurt; Düsseldorf = Duesseldorf; Braunschweig = Brunswick',
  DK: 'Copenhagen = København, Kobenhavn; Århus = Aarhus',
  DZ: 'Algiers = Alger, الجزائر; Oran = وهران; Constantine = قسنطينة',
  EE: 'Tallinn = Таллин, Reval; Tartu = Тарту',
  EG: 'Cairo = القاهرة; Alexandria = الإسكندرية; Giza = الجيزة; Port Said = بورسعيد',
  ES: 'Sevilla = Seville; Zaragoza = Saragossa; A Coruña = La Coruña; Donostia / San Sebastián = San Sebastián, Donostia; Bilbao = Bilbo; Gasteiz / Vitoria = Vitoria-Gasteiz, Vitoria, Gasteiz; Pamplona = Iruña; Palma = Palma de Mallorca; Valencia = València',
  FI: 'Helsinki = Helsingfors; Turku = Åbo; Tampere = Tammerfors; Espoo = Esbo',
  FR: 'Strasbourg = Straßburg; Nice = Nizza; Lyon = Lyons; Marseille = Marseilles',
  GB: 'Kingston upon Hull = Hull; Derry = Londonderry; Newcastle upon Tyne = Newcastle; Cardiff = Caerdydd; Swansea = Abertawe; Edinburgh = Dùn Èideann; Belfast = Béal Feirste',
  GE: 'Tbilisi = თბილისი, Tiflis; Batumi = ბათუმი',
  GR: 'Athens = Αθήνα, Athina, Athen; Thessaloníki = Θεσσαλονίκη, Salonica; Irákleion = Ηράκλειο, Heraklion; Pátra = Πάτρα, Patras; Lárisa = Λάρισα; Vólos = Βόλος; Chaniá = Χανιά; Ioánnina = Ιωάννινα',
  HK: 'Hong Kong = 香港',
  HR: 'Zagreb = Agram; Rijeka = Fiume; Dubrovnik = Ragusa',
  HU: 'Budapest = Будапешт; Szeged = Szegedin',
  IE: 'Dublin = Baile Átha Cliath; Cork = Corcaigh; Gaillimh = Galway; Luimneach = Limerick',
  IL: 'Jerusalem = ירושלים, القدس; Tel Aviv = תל אביב, תל אביב יפו; Haifa = חיפה, حيفا; Beersheba = באר שבע; Nazareth = נצרת, الناصرة',
  IN: 'Mumbai = मुंबई, Bombay; Delhi = दिल्ली; New Delhi = नई दिल्ली; Kolkata = কলকাতা, Calcutta; Chennai = சென்னை, Madras; Bengaluru = ಬೆಂಗಳೂರು, Bangalore; Hyderabad = హైదరాబాద్; Pune = पुणे, Poona; Ahmedabad = અમદાવાદ, Ahmadabad; Vadodara = Baroda; Varanasi = वाराणसी, Benares; Lucknow = लखनऊ; Jaipur = जयपुर; Patna = पटना; Bhopal = भोपाल; Indore = इंदौर; Kanpur = कानपुर; Nagpur = नागपुर; Surat = સુરત; Cochin = Kochi, കൊച്ചി; Thiruvananthapuram = തിരുവനന്തപുരം, Trivandrum; Bhubaneshwar = ଭୁବନେଶ୍ୱର, Bhubaneswar; Guwahati = গুৱাহাটী; Amritsar = ਅੰਮ੍ਰਿਤਸਰ',
  IQ: 'Baghdad = بغداد, Bagdad; Basrah = البصرة, Basra; Erbil = أربيل, هەولێر; Mosul = الموصل',
  IR: 'Tehran = تهران, Teheran; Mashhad = مشهد; Isfahan = اصفهان, Esfahan; Shiraz = شیراز; Tabriz = تبریز; Qom = قم',
  IT: 'Rome = Roma; Milan = Milano; Naples = Napoli; Turin = Torino; Florence = Firenze; Venice = Venezia; Genoa = Genova; Padova = Padua; Mantova = Mantua; Bolzano = Bozen',
  JO: 'Amman = عمان',
  JP: 'Tokyo = 東京; Osaka = 大阪; Kyoto = 京都; Yokohama = 横浜; Nagoya = 名古屋; Sapporo = 札幌; Kobe = 神戸; Fukuoka = 福岡; Hiroshima = 広島; Sendai = 仙台; Kitakyushu = 北九州; Niigata = 新潟; Nagasaki = 長崎; Okayama = 岡山; Kumamoto = 熊本; Kagoshima = 鹿児島; Naha = 那覇; Shizuoka = 静岡; Kanazawa = 金沢',
  KG: 'Bishkek = Бишкек',
  KR: 'Seoul = 서울; Busan = 부산, Pusan; Incheon = 인천; Daegu = 대구; Daejeon = 대전; Gwangju = 광주; Ulsan = 울산; Suwon = 수원; Jeju City = 제주',
  KP: 'Pyongyang = 평양',
  KW: 'Kuwait City = الكويت',
  KZ: 'Nur-Sultan = Astana, Астана, Нур-Султан; Almaty = Алматы, Alma-Ata, Алма-Ата',
  LB: 'Beirut = بيروت, Beyrouth',
  LT: 'Vilnius = Wilno, Вильнюс; Kaunas = Каунас',
  LV: 'Riga = Rīga, Рига',
  LY: 'Tripoli = طرابلس; Benghazi = بنغازي',
  MA: 'Casablanca = الدار البيضاء; Rabat = الرباط; Marrakesh = مراكش, Marrakech; Fes = فاس, Fez; Tangier = طنجة, Tanger',
  MD: 'Chişinău = Chisinau, Кишинёв, Kishinev',
  MK: 'Skopje = Скопје',
  MM: 'Yangon = ရန်ကုန်, Rangoon; Mandalay = မန္တလေး',
  MN: 'Ulan Bator = Улаанбаатар, Ulaanbaatar',
  MX: 'Mexico City = Ciudad de México, CDMX',
  NL: "The Hague = Den Haag, ’s-Gravenhage; 's-Hertogenbosch = Den Bosch",
  NP: 'Kathmandu = काठमाडौं, काठमाण्डौ',
  OM: 'Muscat = مسقط',
  PK: 'Karachi = کراچی; Lahore = لاہور; Islamabad = اسلام آباد; Peshawar = پشاور; Rawalpindi = راولپنڈی; Quetta = کوئٹہ',
  PL: 'Warsaw = Warszawa; Kraków = Cracow, Krakau; Gdańsk = Danzig; Wrocław = Breslau; Poznań = Posen; Szczecin = Stettin',
  PS: 'Gaza = غزة; Ramallah = رام الله',
  PT: 'Lisbon = Lisboa; Porto = Oporto',
  QA: 'Doha = الدوحة',
  RO: 'Bucharest = București, Bucuresti; Cluj-Napoca = Cluj, Kolozsvár; Timişoara = Temesvár; Iaşi = Jassy',
  RS: 'Belgrade = Beograd, Београд; Novi Sad = Нови Сад; Niš = Ниш',
  RU: 'Moscow = Москва, Moskva, Moskau; Saint Petersburg = Санкт-Петербург, Sankt Peterburg, Петербург; Novosibirsk = Новосибирск; Yekaterinburg = Екатеринбург, Ekaterinburg; Kazan = Казань; Nizhniy Novgorod = Нижний Новгород, Nizhny Novgorod; Samara = Самара; Omsk = Омск; Chelyabinsk = Челябинск; Rostov-na-Donu = Ростов-на-Дону, Rostov-on-Don; Ufa = Уфа; Krasnoyarsk = Красноярск; Voronezh = Воронеж; Perm = Пермь; Volgograd = Волгоград; Krasnodar = Краснодар; Saratov = Саратов; Tyumen = Тюмень; Irkutsk = Иркутск; Vladivostok = Владивосток; Khabarovsk = Хабаровск; Yakutsk = Якутск; Kaliningrad = Калининград; Murmansk = Мурманск; Arkhangel’sk = Архангельск, Arkhangelsk; Tomsk = Томск; Tula = Тула; Sochi = Сочи; Groznyy = Грозный, Grozny; Makhachkala = Махачкала',
  SA: 'Riyadh = الرياض; Jeddah = جدة, Jiddah; Mecca = مكة, Makkah; Medina = المدينة, Madinah; Dammam = الدمام',
  SD: 'Khartoum = الخرطوم',
  SE: 'Göteborg = Gothenburg; Malmö = Malmo; Stockholm = Estocolmo',
  SK: 'Bratislava = Pressburg, Pozsony; Košice = Kassa',
  SY: 'Damascus = دمشق, Dimashq; Aleppo = حلب',
  TH: 'Bangkok = กรุงเทพ, กรุงเทพมหานคร, Krung Thep; Chiang Mai = เชียงใหม่; Phuket = ภูเก็ต',
  TN: 'Tunis = تونس; Sfax = صفاقس',
  TR: 'İstanbul = Istanbul, Constantinople; Ankara = Angora; İzmir = Izmir, Smyrna',
  TW: 'Taipei = 台北, 臺北; Kaohsiung = 高雄; Taichung = 台中, 臺中; Tainan = 台南, 臺南',
  UA: 'Kyiv = Київ, Kiev, Киев; Kharkiv = Харків, Kharkov, Харьков; Odessa = Одеса, Odesa, Одесса; Lviv = Львів, Lvov, Львов, Lwów, Lemberg; Dnipro = Дніпро, Dnipropetrovsk, Днепр; Donetsk = Донецьк, Донецк; Zaporizhia = Запоріжжя, Zaporizhzhia, Запорожье; Mykolayiv = Миколаїв, Mykolaiv, Николаев; Chernihiv = Чернігів, Чернигов; Poltava = Полтава; Vinnytsia = Вінниця, Винница; Kherson = Херсон; Simferopol = Сімферополь, Симферополь; Sevastopol = Севастополь',
  US: 'Washington, D. C. = Washington, Washington DC; New York City = New York, Nueva York, Нью-Йорк, 纽约, 紐約; Los Angeles = Лос-Анджелес, 洛杉矶',
  UZ: 'Tashkent = Toshkent, Тошкент, Ташкент; Samarkand = Samarqand, Самарканд',
  VN: 'Ho Chi Minh City = Thành phố Hồ Chí Minh, Saigon, Sài Gòn; Hanoi = Hà Nội; Da Nang = Đà Nẵng; Haiphong = Hải Phòng',
  YE: 'Sanaa = صنعاء; Aden = عدن',
};

/** All names of each city, in nameKey form, by the country and each of the names; the listed one first. */
const cities = once(() => {
  const known = new Map<string, string[]>();
  for (const [country, text] of Object.entries(citiesByCountry)) {
    for (const city of text.split('; ')) {
      const names = [...new Set(city.split(/ = |, (?!D\. C\.)/).flatMap((name) => spellingsIn(name, country)))];
      for (const name of names) known.set(`${country} ${name}`, names);
    }
  }
  return known;
});

/** All names of a city in nameKey form, the one that GeoNames lists first; only its own if no other is known. */
export function namesOfCity(city: string, country: string | null): readonly string[] {
  const own = spellingsIn(city, country);
  const name = own.find((spelling) => cities().has(`${country} ${spelling}`));
  return name === undefined ? own : (cities().get(`${country} ${name}`) ?? own);
}
