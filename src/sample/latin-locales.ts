import type { LocaleSource } from './locale.ts';

/** Languages in Latin script. All media names made from these words are inventions. */
export const latinLocales: readonly LocaleSource[] = [
  {
    tag: 'en',
    given:
      'Amelia Oliver Priya Marcus Siobhán Gareth Naomi Tobias Keisha Rowan Imogen Desmond Chloë Malik Fiona Adaeze Callum Josephine Rafael Wei Harriet Jamal Beatrice Kwame Zoë Patrick Leila Duncan Rosalind Ethan',
    family:
      "Ashworth Okafor Pemberton Delacroix Nakamura O'Rourke Whitlock Banerjee Calloway Mensah Thackeray Lindqvist Abernathy Fairweather Osei Harrington Castellano Blackwood Mbeki Sinclair Novak Ravenscroft Holloway Yates Quigley Marlowe Adeyemi Trevithick McAllister Wynne",
    press:
      'Lantern Weathercock Milestone Almanack Signalbox Notebook Causeway Compass Lamplighter Footbridge Belltower Quill Inkwell Broadside Clarion Lighthouse Waymark Towpath Hourglass Bugle Courier Ledger Sentinel Packet Gazetteer',
    magazine: 'Magazine Quarterly Review Portfolio Digest Papers Annual Miscellany',
    radio: 'Radio FM Sound Airwaves',
    tv: 'TV Television Vision Channel',
    podcast: 'Podcast Hour Conversations Unpacked Sessions Out_Loud Show Tapes Fireside Stories',
    newsletter: 'Newsletter Brief Letter Dispatch Roundup Memo Digest Inbox Postcard Weekly',
    topics: 'Business Tech Sports Culture Politics Science Health Food Travel Music Education Climate History Society',
  },
  {
    tag: 'es',
    nounFirst: true,
    of: 'de',
    given:
      'Lucía Martín Sofía Andrés Ximena Íñigo Camila Joaquín Belén Álvaro Noelia Raúl Inés Tomás Verónica Iván Rocío Efraín Pilar Matías',
    family:
      'Ibáñez Zúñiga Quiroga Peña Villaseñor Muñoz Echeverría Salcedo Núñez Arriaga Cárdenas Beltrán Olmedo Ordóñez Figueroa Lozano Avendaño Gálvez Montoya Rentería',
    press:
      'Farol Campanario Cuaderno Horizonte Pregón Altavoz Mirador Faro Sendero Almanaque Puente Vigía Boletín Semanario Diario',
    magazine: 'Revista Gaceta Cuadernos Crónicas',
    radio: 'Radio Emisora Onda',
    tv: 'Canal Televisión Tele',
    podcast: 'Pódcast Charlas Voces Historias Sobremesa Tertulia',
    newsletter: 'Boletín Carta Resumen Noticias Notas',
    topics:
      'Negocios Tecnología Deportes Cultura Política Ciencia Salud Cocina Viajes Música Educación Clima Historia Sociedad',
    titles: ['Directora', 'Redactor jefe', 'Editora de contenidos'],
    descriptions: [
      'Noticias y reportajes de {place} sobre {topic} y {other}. Un equipo pequeño que pregunta en la calle antes de publicar.',
      'Todo sobre {topic} en {place}, explicado con calma. También habla de {other} y de la vida del barrio.',
    ],
  },
  {
    tag: 'pt',
    nounFirst: true,
    of: 'de',
    given:
      'João Beatriz Thiago Inês Gonçalo Letícia Mário Conceição Vinícius Lúcia Rui Patrícia Caio Débora Tomé Júlia',
    family:
      'Magalhães Araújo Brandão Falcão Guimarães Leitão Conceição Sá Tavares Quintão Barbosa Noronha Simões Damásio Vilhena Assunção',
    press: 'Lanterna Farol Caderno Mirante Pregão Horizonte Recado Sino Almanaque Ponte Vigia Semanário Diário Bússola',
    magazine: 'Revista Cadernos Crônicas Folhetim',
    radio: 'Rádio Emissora Onda',
    tv: 'Canal Televisão Tela',
    podcast: 'Podcast Conversas Vozes Histórias Prosa',
    newsletter: 'Boletim Carta Resumo Notas Correio',
    topics:
      'Negócios Tecnologia Esportes Cultura Política Ciência Saúde Comida Viagens Música Educação Clima História Sociedade',
    titles: ['Editora-chefe', 'Repórter especial', 'Diretor de redação'],
    descriptions: [
      'Notícias de {place} sobre {topic} e {other}. Uma redação pequena, perto de quem lê.',
      'Tudo sobre {topic} em {place}, com calma e boas fontes. Fala também de {other}.',
    ],
  },
  {
    tag: 'fr',
    nounFirst: true,
    given:
      'Élodie Benoît Anaïs Thibault Hélène Loïc Maëlle Cédric Noémie Grégoire Inès Raphaël Solène Étienne Aïcha Théo Gaëlle Mathéo',
    family:
      'Lefèvre Bérenger Château Delâtre Garçon Hébert Maçon Pélissier Rousseau Tréguier Vaillant Boisvert Desjardins Ouédraogo Traoré Lemaître Carrière Noël',
    press:
      'Lanterne Carillon Carnet Éclaireur Phare Crieur Passerelle Sablier Almanach Clocher Boussole Réverbère Guetteur Veilleur Écho',
    magazine: 'Revue Cahiers Magazine Chroniques',
    radio: 'Radio Onde Fréquence',
    tv: 'Télé Canal Chaîne',
    podcast: 'Balado Conversations Voix Récits Causerie',
    newsletter: 'Infolettre Lettre Bulletin Résumé Billet',
    topics:
      'Affaires Technologie Sports Culture Politique Sciences Santé Cuisine Voyages Musique Éducation Climat Histoire Société',
    titles: ['Rédactrice en chef', 'Chef de rubrique', 'Journaliste'],
    descriptions: [
      'Actualités de {place} : {topic}, {other} et la vie du quartier. Une petite rédaction indépendante.',
      'Chaque semaine, {topic} vu de {place}. Des entretiens, des chiffres et un peu de {other}.',
    ],
  },
  {
    tag: 'de',
    given:
      'Jürgen Annegret Björn Käthe Matthias Friederike Sönke Aylin Lüder Hannelore Tjark Mareike Günther Elif Roswitha Jörn',
    family:
      'Müllerschön Grünewald Böttcher Kräuter Weißenfels Löhndorf Schäfers Öztürk Hübener Straßburger Feldkamp Rönne Zöllner Kühnast Yıldız Brüggemann',
    press:
      'Laterne Wegweiser Kompass Brücke Leuchtturm Türmer Wetterhahn Ausrufer Meilenstein Notizbuch Almanach Umschau Rundblick Tagblatt Wochenblick',
    magazine: 'Magazin Hefte Revue Blätter',
    radio: 'Radio Welle Rundfunk',
    tv: 'Fernsehen TV Kanal',
    podcast: 'Podcast Gespräche Stimmen Geschichten Sprechstunde',
    newsletter: 'Rundbrief Newsletter Überblick Notizen Brief',
    topics:
      'Wirtschaft Technik Sport Kultur Politik Wissenschaft Gesundheit Küche Reise Musik Bildung Klima Geschichte Gesellschaft',
    titles: ['Chefredakteurin', 'Redakteur', 'Ressortleiterin'],
    descriptions: [
      'Nachrichten aus {place} über {topic} und {other}. Eine kleine Redaktion, die nachfragt.',
      'Alles über {topic} in {place}, gründlich erklärt. Dazu Berichte über {other}.',
    ],
  },
  {
    tag: 'it',
    nounFirst: true,
    of: 'di',
    given: 'Niccolò Chiara Donatella Iacopo Giosuè Ludovica Rocco Ambra Fabrizio Letizia Noè Serena Ettore Azzurra',
    family:
      'Santorò Bellucci Ferrarini Lomellini Capuà Grimaldi Tedeschi Vannucci Orsatti Malaspina Quaglia Pasquini Zanetti Forlì',
    press:
      'Lanterna Campanile Taccuino Faro Orizzonte Bussola Strillone Ponte Almanacco Vedetta Meridiana Sentiero Clessidra',
    magazine: 'Rivista Quaderni Rassegna Cronache',
    radio: 'Radio Onda Frequenza',
    tv: 'Canale Televisione Tele',
    podcast: 'Podcast Chiacchiere Voci Racconti',
    newsletter: 'Bollettino Lettera Riassunto Appunti',
    topics:
      'Economia Tecnologia Sport Cultura Politica Scienza Salute Cucina Viaggi Musica Istruzione Clima Storia Società',
    descriptions: [
      'Notizie da {place} su {topic} e {other}. Una piccola redazione indipendente.',
      'Tutto su {topic} a {place}, spiegato con calma. Si parla anche di {other}.',
    ],
  },
  {
    tag: 'nl',
    given: 'Maartje Joost Femke Sjoerd Anouk Daniël Noor Ruben Liesbeth Koen Zoë Hidde',
    family:
      'Hoekstra Vandersteen Bleijenberg Zuiderveld Kuijpers Oosterhuis Terpstra Roelofs Meeuwissen Dijkgraaf Nooitgedacht Schimmelpenninck',
    press: 'Lantaarn Wegwijzer Kompas Vuurtoren Klokkentoren Omroeper Mijlpaal Notitieblok Uitkijk Brug Zandloper',
    magazine: 'Tijdschrift Kwartaalblad Cahier Magazine',
    radio: 'Radio Omroep Golf',
    tv: 'Televisie TV Kanaal',
    podcast: 'Podcast Gesprekken Stemmen Verhalen',
    newsletter: 'Nieuwsbrief Brief Overzicht Notities',
    topics:
      'Economie Techniek Sport Cultuur Politiek Wetenschap Gezondheid Eten Reizen Muziek Onderwijs Klimaat Geschiedenis Samenleving',
  },
  {
    tag: 'sv',
    given: 'Åsa Göran Märta Håkan Linnéa Örjan Saga Björn Ylva Mårten Freja Östen',
    family: 'Ångström Sjöberg Hägglund Öberg Lindgård Nyström Åkerblad Strömqvist Wikmansson Grönlund Rönnbäck Ekelöf',
    press: 'Lyktan Vägvisaren Kompassen Fyren Utropet Milstolpen Bryggan Klockstapeln Utsikten Timglaset',
    magazine: 'Tidskrift Kvartalsskrift Häften Magasin',
    radio: 'Radio Våglängd Ljud',
    tv: 'TV Kanalen Bild',
    podcast: 'Podden Samtal Röster Berättelser',
    newsletter: 'Nyhetsbrev Brevet Överblick Anteckningar',
    topics:
      'Näringsliv Teknik Sport Kultur Politik Vetenskap Hälsa Mat Resor Musik Utbildning Klimat Historia Samhälle',
  },
  {
    tag: 'pl',
    given: 'Małgorzata Łukasz Agnieszka Zbigniew Świętosława Paweł Żaneta Stanisław Bożena Michał Róża Przemysław',
    family:
      'Wójcicki Dąbrowa Zieliński Śliwiński Łęcki Górniak Żurawski Kędzierski Ćwik Ostrowski Półtorak Wiśniowiecki',
    press: 'Latarnia Drogowskaz Kompas Notatnik Dzwonnica Goniec Kamień_Milowy Mostek Klepsydra Widnokrąg',
    magazine: 'Kwartalnik Zeszyty Przegląd Magazyn',
    radio: 'Radio Fala Głos',
    tv: 'Telewizja Kanał TV',
    podcast: 'Podkast Rozmowy Głosy Opowieści',
    newsletter: 'Biuletyn List Skrót Zapiski',
    topics:
      'Biznes Technika Sport Kultura Polityka Nauka Zdrowie Kuchnia Podróże Muzyka Edukacja Klimat Historia Społeczeństwo',
  },
  {
    tag: 'cs',
    given: 'Jiří Kateřina Ondřej Tereza Štěpán Božena Vojtěch Anežka Čeněk Růžena',
    family: 'Dvořáček Řezníková Šťastný Žižkovský Příhoda Kříženecký Čermáková Habětín Vašíček Třeboňský',
    press: 'Lucerna Rozcestník Kompas Zápisník Zvonice Maják Milník Lávka Obzor Vyhlídka',
    magazine: 'Čtvrtletník Sešity Revue Magazín',
    radio: 'Rádio Vlna Rozhlas',
    tv: 'Televize Kanál TV',
    podcast: 'Podcast Rozhovory Hlasy Příběhy',
    newsletter: 'Zpravodaj Dopis Přehled Poznámky',
    topics:
      'Byznys Technika Sport Kultura Politika Věda Zdraví Kuchyně Cestování Hudba Vzdělání Klima Historie Společnost',
  },
  {
    tag: 'ro',
    nounFirst: true,
    of: 'din',
    given: 'Ștefan Ioana Mădălina Răzvan Anișoara Cătălin Țurcana Doru Brândușa Lucreția',
    family: 'Ciobănescu Brâncoveanu Țepeș Mureșanu Sălăjan Vlăduț Hodoș Păunescu Șerbănel Grigoriță',
    press: 'Felinarul Busola Carnetul Clopotnița Vestitorul Podul Farul Orizontul Clepsidra',
    magazine: 'Revista Caietele Cronica',
    radio: 'Radio Unda Frecvența',
    tv: 'Televiziunea Canalul TV',
    podcast: 'Podcastul Convorbiri Voci Povești',
    newsletter: 'Buletinul Scrisoarea Rezumatul Notițe',
    topics:
      'Afaceri Tehnologie Sport Cultură Politică Știință Sănătate Bucătărie Călătorii Muzică Educație Climă Istorie Societate',
  },
  {
    tag: 'hu',
    familyFirst: true,
    given: 'Zoltán Ágnes Bálint Erzsébet Győző Réka Örs Júlia Ármin Emőke',
    family: 'Szűcs Kőszegi Vörösváry Bölöni Fehérvári Győri Ötvös Halmágyi Tűzkő Cséfalvay',
    press: 'Lámpás Iránytű Jegyzetfüzet Harangláb Hírnök Mérföldkő Hídfő Homokóra Kilátó',
    magazine: 'Negyedévkönyv Füzetek Szemle Magazin',
    radio: 'Rádió Hullám Hang',
    tv: 'Televízió Csatorna TV',
    podcast: 'Podcast Beszélgetések Hangok Történetek',
    newsletter: 'Hírlevél Levél Összefoglaló Jegyzetek',
    topics:
      'Gazdaság Technika Sport Kultúra Politika Tudomány Egészség Konyha Utazás Zene Oktatás Éghajlat Történelem Társadalom',
  },
  {
    tag: 'tr',
    given: 'Ayşegül Çağlar Şebnem İbrahim Gülşen Öykü Tuğrul Ümran Işıl Yiğit',
    family: 'Çelikkol Güneşli Şahinbaş Öztunç Kılıçaslan Yağmurcu Üstündağ Işıkara Demircioğlu Ağaoğlu',
    press: 'Fener Pusula Defter Çan_Kulesi Haberci Kilometre_Taşı Köprü Kum_Saati Ufuk Seyir',
    magazine: 'Dergisi Defterleri Yıllığı',
    radio: 'Radyo Dalga Ses',
    tv: 'Televizyonu Kanalı TV',
    podcast: 'Podcast Sohbetleri Sesler Öyküler',
    newsletter: 'Bülteni Mektubu Özeti Notları',
    topics: 'Ekonomi Teknoloji Spor Kültür Siyaset Bilim Sağlık Mutfak Gezi Müzik Eğitim İklim Tarih Toplum',
  },
  {
    tag: 'vi',
    nounFirst: true,
    familyFirst: true,
    given: 'Thị_Hương Văn_Đức Ngọc_Ánh Minh_Quân Thùy_Dương Hữu_Phước Bảo_Châu Quốc_Việt',
    family: 'Nguyễn Trần Phạm Đặng Vũ Bùi Đỗ Hồ',
    press: 'Đèn_Lồng La_Bàn Sổ_Tay Hải_Đăng Tiếng_Chuông Cột_Mốc Nhịp_Cầu Chân_Trời',
    magazine: 'Tạp_chí Tập_san Đặc_san',
    radio: 'Đài_phát_thanh Làn_Sóng',
    tv: 'Truyền_hình Kênh',
    podcast: 'Trò_chuyện Tiếng_nói Câu_chuyện',
    newsletter: 'Bản_tin Lá_thư Tóm_tắt',
    topics:
      'Kinh_tế Công_nghệ Thể_thao Văn_hóa Chính_trị Khoa_học Sức_khỏe Ẩm_thực Du_lịch Âm_nhạc Giáo_dục Khí_hậu Lịch_sử Xã_hội',
  },
  {
    tag: 'id',
    nounFirst: true,
    given: 'Dewi Agus Sri Bambang Putri Wayan Ratna Yusuf Intan Gede',
    family: 'Wirawan Kusumastuti Prabangkara Lestari Hadiningrat Sasmita Nugraheni Tampubolon Siregar Wijayakusuma',
    press: 'Lentera Kompas Catatan Menara Kentongan Jembatan Cakrawala Mercusuar Penunjuk',
    magazine: 'Majalah Tinjauan Berkala',
    radio: 'Radio Gelombang Suara',
    tv: 'Televisi Saluran TV',
    podcast: 'Siniar Obrolan Suara Cerita',
    newsletter: 'Buletin Surat Ringkasan Catatan',
    topics:
      'Bisnis Teknologi Olahraga Budaya Politik Sains Kesehatan Kuliner Wisata Musik Pendidikan Iklim Sejarah Masyarakat',
  },
  {
    tag: 'sw',
    nounFirst: true,
    of: 'ya',
    given: 'Amina Baraka Neema Juma Zawadi Hamisi Upendo Salim',
    family: 'Mwakalinga Nyerembe Omondi Kiprotich Mutasa Wanjiru Mwinyi Achieng',
    press: 'Taa Dira Daftari Mnara Mbiu Daraja Upeo Mwanga',
    magazine: 'Jarida Mapitio',
    radio: 'Redio Sauti Mawimbi',
    tv: 'Runinga Chaneli',
    podcast: 'Mazungumzo Sauti Hadithi',
    newsletter: 'Taarifa Barua Muhtasari',
    topics:
      'Biashara Teknolojia Michezo Utamaduni Siasa Sayansi Afya Mapishi Safari Muziki Elimu Tabianchi Historia Jamii',
  },
];
