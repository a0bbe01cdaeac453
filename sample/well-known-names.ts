import { hostPart } from './tongue.ts';

/** Real media of renown, whose names an invention must not hit by chance; in the form of a host name. */
export const wellKnownNames: ReadonlySet<string> = new Set(
  [
    'Manchester Courier, Liverpool Courier, Louisville Courier, Houston Courier, Charleston Courier, Hartford Courier',
    'Newcastle Courier, Sacramento Ledger, Philadelphia Ledger, Tacoma Ledger, Lakeland Ledger, Quincy Ledger',
    'Florence Courier, Mumbai Sentinel, Orlando Sentinel, Stoke Sentinel, Milwaukee Sentinel, Knoxville Sentinel',
    'Nantucket Lighthouse, Sydney Gazetteer, Omaha Bugle, Chicago Magazine, Boston Magazine, Philadelphia Magazine',
    'Los Angeles Magazine, Texas Monthly, Boston Review, Paris Review, London Review, Chicago Review',
    'London Magazine, New York Magazine, Dublin Review, Edinburgh Review, Oxford Review, Cambridge Quarterly',
    'Diario de Sevilla, Diario de Cádiz, Diario de Burgos, Diario de León, Diario de Navarra, Diario de Mallorca',
    'Diario de Ibiza, Diario de Ávila, Faro de Vigo, Diario de Pontevedra, Diario de Cuyo, Diario de Morelos',
    'Diario de Yucatán, Diario de Noticias, Diário de Lisboa, Diário de Coimbra, Diário de Aveiro, Diário de Pernambuco',
    'Radio Roma, Radio London, Radio Zürich, Radio Moscow, Radio Tirana, Radio Marseille, Radio Paris, Radio Monte-Carlo',
    'Radio Bremen, Radio Hamburg, Radio Köln, Radio Berlin, Radio Regensburg, Radio Wien, Radio Madrid, Radio Barcelona',
    'Radio Nacional, Radio Toronto, Canal Sur, Canal 13, Wochenblick, Tagblatt, Écho de Paris, Zürich Tagblatt',
    'Dhaka Courier, Lincoln Courier, Vancouver Courier, Los Angeles Sentinel, Tucson Sentinel, Placer Sentinel',
    'Lucknow Sentinel, Broken Arrow Ledger, Spokane Review, Palo Alto Weekly, Seattle Weekly, Diário de Cuiabá',
    'Diario de Morelia, Diario de Juárez, Diario de Almería, Diário de Viseu, Beverly Review, Deerfield Review',
    'Cupertino Courier, Monroe Courier, Columbus Packet, Rome Sentinel, Fort Wayne Sentinel, Fort Worth Weekly',
    'Bremer Tagblatt, Sankt Gallen Tagblatt, Oxford Almanack, Mumbai Samachar, Delhi Courier, Pittsburgh Courier',
  ]
    .join(', ')
    .split(', ')
    .map((name) => hostPart(name.replace(' de ', ' '))),
);
