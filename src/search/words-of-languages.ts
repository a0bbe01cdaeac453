/**
 * Words that ask for a kind, a type or a topic, in the languages of most media besides those of search-words.ts: Russian,
 * Ukrainian, Polish, Czech, Serbian, Bulgarian, Greek, Turkish, Hungarian, Finnish, Swedish, Norwegian, Danish, Dutch,
 * Romanian, Arabic, Persian, Hebrew, Hindi, Bengali, Chinese, Japanese, Korean, Indonesian. As people type them: singular
 * and plural, other cases where they are common. A word with `*` may go on by up to two letters, as its endings do.
 */
export const wordsOfLanguages: Readonly<Record<string, string>> = {
  'kind.outlet': `сми медиа медіа media mediat medier médiák μέσα medya إعلام اعلام رسانه رسانهها תקשורת मीडिया 媒体
    媒體 メディア 미디어`,
  'kind.podcast': `подкаст* podcast* podkast* poddcast podd poddar podcasty podcastů podcastok podcasturi podcastit
    podcastia podcastlar ποντκαστ بودكاست بودکاست پادکست פודקאסט* पॉडकास्ट পডকাস্ট 播客 ポッドキャスト 팟캐스트 siniar`,
  'kind.newsletter': `рассылк* розсилк* дайджест* newsletter* newslettery biuletyn* zpravodaj* бюлетин* билтен*
    bülten* hírlevel* hírlevél uutiskirje uutiskirjeet nyhetsbrev nyhedsbrev* nieuwsbrief nieuwsbrieven buletin
    ενημερωτικό نشرة نشرات خبرنامه ניוזלטר* समाचारपत्रक 通讯 電子報 电子报 ニュースレター メルマガ 뉴스레터`,
  'type.newspaper': `газет* газеты вестник* gazet* dziennik* noviny novin deník* novine новин* вестници вестник
    εφημερίδα εφημερίδες εφημερίδων gazeteler gazetesi újság újságok napilap* hírlap* sanomalehti sanomalehdet lehti
    lehdet päivälehti tidning tidningar tidningen dagstidning* avis aviser avisa avisen dagblad* krant* kranten ziar
    ziare ziarul cotidian صحيفة صحف جريدة جرائد روزنامه روزنامهها עיתון עיתונים अखबार समाचारपत्र সংবাদপত্র পত্রিকা
    খবরের 报纸 報紙 日报 日報 新聞 신문 일간지`,
  'type.magazine': `журнал* czasopism* magazyn* časopis* часопис* списание списания περιοδικό περιοδικά dergi
    dergisi dergiler folyóirat* magazin* aikakauslehti aikakauslehdet tidskrift* tidsskrift* ugeblad* ukeblad*
    tijdschrift* revistă reviste مجلة مجلات مجله ماهنامه מגזין מגזינים ירחון पत्रिका पत्रिकाएं ম্যাগাজিন সাময়িকী 杂志
    雜誌 雑誌 周刊 週刊 月刊 잡지 월간지 majalah`,
  'type.journal': `научный наукових naukowe vědecký επιστημονικό علمية علمی מדעי 学报 學報 学术 论文誌 学術誌 학술지 jurnal`,
  'type.tv': `телевидени* телеканал* телебачення тв telewizj* televiz* televize telewizyjna телевизи* τηλεόραση
    τηλεοπτικό κανάλι televizyon* kanallar televízió tévé televisio tv-kanal fjernsyn* televisie omroep televiziune
    تلفزيون تلفاز قناة قنوات تلویزیون شبکه טלוויזיה ערוץ ערוצים टीवी टेलीविजन चैनल টেলিভিশন চ্যানেল 电视 電視 电视台 電視台
    テレビ テレビ局 放送 텔레비전 방송 방송국 televisi stasiun`,
  'type.radio': `радио радиостанци* радіо радіостанці* radiostacj* radia rozgłośni* rozhlas* rádió* ραδιόφωνο
    ραδιόφωνα ραδιοφωνικός ραδιοσταθμός radyo radyolar radyosu radioasema* radiokanal* zender zenders راديو إذاعة
    اذاعة إذاعات رادیو רדיו रेडियो রেডিও 电台 電台 广播 廣播 ラジオ ラジオ局 라디오`,
  'type.online': `онлайн сайт* портал* интернет інтернет internetow* portal* strona webové ιστοσελίδα διαδικτυακή
    site siteler haberler honlap* verkkolehti verkkosivu* nettiavis* nettside* webbplats* hemsida موقع مواقع
    الكتروني إلكتروني سایت وبسایت אתר אתרים वेबसाइट ऑनलाइन ওয়েবসাইট অনলাইন 网站 網站 网络 サイト ウェブサイト オンライン 웹사이트 온라인 situs
    daring`,
  'type.blog': `блог* blog* blogi blogit blogger* μπλογκ ιστολόγιο ιστολόγια مدونة مدونات وبلاگ בלוג* ब्लॉग ব্লগ 博客
    部落格 ブログ 블로그`,
  'type.wire': `агентств* информагентств* інформагентств* agencj* agentur* agentura πρακτορείο ajans* hírügynökség*
    uutistoimisto* nyhetsbyrå* nyhedsbureau* persbureau* agenție agenții وكالة وكالات خبرگزاری סוכנות एजेंसी সংস্থা
    通讯社 通訊社 通信社 통신사`,
  'topic.arts': `искусств* мистецтв* sztuk* umění уметност* изкуство τέχνη τέχνες sanat művészet* taide taidetta
    konst kunst kunsten artă فن فنون هنر אמנות कला শিল্প 艺术 藝術 芸術 美術 アート 예술 미술 seni`,
  'topic.automotive': `авто автомобил* автомобіл* motoryzacj* samochod* auta automobilov* αυτοκίνητο αυτοκίνητα
    otomobil otomotiv autó* autot autoilu bilen bilar biler سيارات خودرو רכב कार ऑटो গাড়ি 汽车 汽車 自動車 クルマ 자동차
    otomotif`,
  'topic.business': `бизнес* бізнес* экономик* економік* економик* делов* biznes* gospodark* ekonomi* obchod
    podnikání οικονομία οικονομικά επιχειρήσεις ekonomisi gazdaság* üzlet* talous taloutta liiketoiminta näringsliv
    ekonomi næringsliv økonomi erhverv zakelijk afaceri economie اقتصاد أعمال اعمال کسبوکار עסקים כלכלה व्यापार
    व्यवसाय अर्थव्यवस्था ব্যবসা অর্থনীতি 商业 商業 经济 經濟 経済 財経 财经 ビジネス 경제 비즈니스 bisnis`,
  'topic.climate': `климат* клімат* эколог* еколог* погод* klimat* środowisk* životní ekologie περιβάλλον κλίμα
    çevre iklim környezet* ilmasto ympäristö miljø miljö milieu klimaat mediu climă مناخ بيئة محیطزیست אקלים סביבה
    जलवायु पर्यावरण পরিবেশ 气候 氣候 环境 環境 気候 기후 환경 lingkungan`,
  'topic.comedy': `юмор* комеди* гумор* humor* satyr* kabaret χιούμορ κωμωδία mizah komedi komédia huumori komiikka
    كوميديا سخرية طنز הומור קומדיה हास्य কৌতুক 喜剧 喜劇 幽默 お笑い コメディ 코미디 유머`,
  'topic.crime': `криминал* кримінал* преступлени* kryminal* zločin* έγκλημα αστυνομικό suç polisiye bűnügy* krimi
    rikos rikokset brott misdaad crimă جريمة جرائم جنایی פשע פלילים अपराध অপরাধ 犯罪 事件 범죄 kriminal`,
  'topic.culture': `культур* kultur* kultury kulturaln* πολιτισμός πολιτισμού kültür kultúra kulttuuri kulttuuria
    cultuur cultură ثقافة ثقافية فرهنگ فرهنگی תרבות संस्कृति সংস্কৃতি 文化 문화 budaya`,
  'topic.education': `образовани* освіт* школ* edukacj* szkoł* vzdělávání škola образование εκπαίδευση παιδεία
    eğitim oktatás* iskola koulutus koulu utbildning skola utdanning skole uddannelse onderwijs educație تعليم تربية
    آموزش חינוך शिक्षा শিক্ষা 教育 교육 pendidikan`,
  'topic.entertainment': `развлечени* розваг* кино кіно film* rozrywk* zábava забав* ψυχαγωγία διασκέδαση σινεμά
    eğlence sinema szórakoz* mozi viihde elokuva* elokuvat nöje underholdning filmy entertainment divertisment ترفيه
    سينما سرگرمی سینما בידור קולנוע मनोरंजन सिनेमा বিনোদন 娱乐 娛樂 电影 電影 映画 エンタメ 연예 영화 hiburan`,
  'topic.faith': `религи* церков* православи* релігі* religi* kościół kościeln* náboženství církev θρησκεία εκκλησία
    dini vallás* egyház* uskonto kirkko kyrka kirke geloof kerk religie دين إسلام اسلام دین مذهبی דת יהדות धर्म ধর্ম
    宗教 信仰 종교 기독교 agama`,
  'topic.fashion': `мода моды моде стиль стиля moda módní μόδα divat* muoti mode modă موضة أزياء אופנה फैशन ফ্যাশন
    时尚 時尚 ファッション 패션`,
  'topic.finance': `финанс* фінанс* инвестици* finans* inwestycj* οικονομικών χρηματοοικονομικά pénzügy* sijoitus
    sijoittaminen rahoitus finanse finance financiën مالية تمويل مالی בורסה פיננסים वित्त निवेश অর্থ 金融 投资 投資 財務 금융
    투자 keuangan`,
  'topic.food': `еда кулинари* їжа кулінарі* kuchni* kulinarn* jídlo vaření храна φαγητό μαγειρική γαστρονομία yemek
    mutfak gasztronómi* konyha ruoka ruokaa matlagning mad eten koken mâncare طعام طبخ غذا آشپزی אוכל בישול खाना
    भोजन খাবার রান্না 美食 饮食 料理 グルメ 음식 요리 kuliner`,
  'topic.gaming': `игр* игры геймер* ігри gry hry игри παιχνίδια oyun oyunlar játék* pelit pelaaminen spel spill
    spil gamen jocuri ألعاب العاب بازی משחקים गेमिंग गेम গেম 游戏 遊戲 ゲーム 게임`,
  'topic.general_news': `новост* новини новин* вести wiadomośc* aktualnośc* zprávy zpráv vijesti νέα ειδήσεις haber
    haberler hírek hír uutiset uutisia nyheter nyhet nyheder nieuws știri stiri أخبار اخبار خبر חדשות समाचार खबर
    ख़बर খবর সংবাদ 新闻 新聞 ニュース 뉴스 소식 berita`,
  'topic.health': `здоровь* медицин* здоров'я zdrowi* medycyn* zdraví здравље здраве υγεία ιατρική sağlık egészség*
    terveys terveyttä hälsa helse sundhed gezondheid sănătate صحة طب سلامت پزشکی בריאות רפואה स्वास्थ्य সাস্থ্য
    স্বাস্থ্য 健康 医疗 醫療 医療 건강 의학 kesehatan`,
  'topic.history': `истори* історі* histori* dějiny историј* ιστορία tarih történel* historia historiaa historie
    geschiedenis istorie تاريخ تاریخ היסטוריה इतिहास ইতিহাস 历史 歷史 歴史 역사 sejarah`,
  'topic.home': `садоводств* дім ogród ogrod* zahrada bydlení σπίτι κήπος bahçe otthon kert koti puutarha trädgård
    hjem hage huis tuin casă grădină منزل حديقة خانه בית גינה घर বাড়ি 家居 园艺 園藝 住まい 인테리어 rumah`,
  'topic.kids': `дети детей детск* діти дитяч* dzieci dzieciom děti деца παιδιά παιδικό çocuk* gyerek* gyermek*
    lapset lasten kinderen copii أطفال اطفال کودکان کودک ילדים बच्चे শিশু 儿童 兒童 子供 こども 어린이 anak`,
  'topic.legal': `право юридическ* закон* юридичн* prawo prawn* právo νομικά δίκαιο hukuk jogi oikeus juridik juss
    recht drept قانون قضاء حقوق حقوقی משפט חוק कानून আইন 法律 法治 법률 hukum`,
  'topic.local_news': `местн* местные региональн* місцев* lokaln* místní локалне τοπικά τοπική yerel helyi
    paikallis* paikallisuutiset lokal* lokala lokale محلي محلية محلی מקומי מקומון स्थानीय স্থানীয় 本地 地方 地元 ローカル 지역
    lokal`,
  'topic.music': `музык* музик* muzyk* muzyczn* hudba hudby hudební музика μουσική μουσικής müzik zene zenei
    musiikki musiikkia musik musikk muziek muzică موسيقى موسیقی מוזיקה संगीत সঙ্গীত গান 音乐 音樂 音楽 음악`,
  'topic.parenting': `родители родителей семья семьи батьки rodzic* rodzin* rodiče rodina οικογένεια γονείς aile
    ebeveyn család* szülő* vanhemm* föräldra* familj* foreldre familie forældre ouders gezin أسرة عائلة خانواده
    הורים משפחה परिवार পরিবার 育儿 育兒 亲子 家庭 子育て 육아 keluarga`,
  'topic.politics': `политик* политическ* політик* polityk* polityczn* politik* politick* πολιτική πολιτικά siyaset
    politika politikai politiikka politiikkaa politiek politică سياسة سياسية سیاست سیاسی פוליטיקה राजनीति রাজনীতি 政治
    정치`,
  'topic.science': `наук* научн* nauk* naukow* věda vědy наука επιστήμη επιστήμες bilim tudomány* tiede tiedettä
    vetenskap vitenskap videnskab wetenschap știință علوم علم دانش علمی מדע विज्ञान বিজ্ঞান 科学 科學 과학 sains`,
  'topic.society': `обществ* суспільств* społeczeńst* společnost друштво κοινωνία toplum társadalom yhteiskunta
    samhälle* samfunn samfund maatschappij societate مجتمع جامعه חברה समाज সমাজ 社会 社會 사회 masyarakat`,
  'topic.sports': `спорт* футбол* sport* piłk* fotbal* fudbal* αθλητικά αθλητισμός ποδόσφαιρο spor futbol labdarúgás
    urheilu urheilua jalkapallo idrott* idrett* fotboll* fodbold* fotball voetbal رياضة رياضية كرة ورزش ورزشی فوتبال
    ספורט כדורגל खेल क्रिकेट খেলা ক্রীড়া 体育 體育 足球 スポーツ サッカー 스포츠 축구 olahraga`,
  'topic.technology': `технологи* технологі* техник* technologi* technologie технологија τεχνολογία τεχνολογίας
    teknoloji technológia teknologia teknologiaa tekniikka teknik teknologi techniek tehnologie تقنية تكنولوجيا
    فناوری تکنولوژی טכנולוגיה הייטק प्रौद्योगिकी तकनीक প্রযুক্তি 科技 技术 技術 テクノロジー テック 기술 테크`,
  'topic.travel': `путешестви* туризм* подорож* туристическ* podróż* turysty* cestování cestovní путовања ταξίδια
    ταξίδι τουρισμός seyahat turizm gezi utazás* turizmus matkailu matka* resor resa reise* rejse* reizen călătorii
    turism سفر سياحة گردشگری תיירות טיולים यात्रा पर्यटन ভ্রমণ 旅游 旅遊 旅行 여행 관광 wisata`,
};
