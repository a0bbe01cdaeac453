/** Words that carry no meaning of their own next to others, in many languages. All are folded. */

const commonArticles = `
  the a an
  el la los las lo un una
  le les une
  der die das den dem ein eine
  il i gli uno
  o os as um uma
  els
  de het
  en ett et det
  az
  ο η το οι τα τον την των του της
  al
  דער די דאס`;

/** Articles, by which names of media begin: "The Herald", "Die Zeit", "Il Tempo", "Το Βήμα", "Al Ahram". */
export const articles = wordSet(`${commonArticles} l t ar ash at y yr di dos`);

const commonAnds = 'and und et y e i en och og και и і';

/**
 * Words for "and", which names also write as a sign (`&`, `+`). Those that are written as one word with the next are
 * left out.
 */
export const andWords = wordSet(`${commonAnds} n ja ve si es ir dhe й та و और एवं এবং ও`);

const prepositions = `
  about at by for from in of on or that to with
  con del para por que sobre
  au aux dans des du pour sur
  am auf aus fur im mit uber vom von zu zum zur
  ao com da das do dos em na nas no nos
  alla dal dalla degli dei della delle di nel nella per su sul sulla
  om pa fra til voor uit
  w z do dla od o v ze pro
  о об про в во на з із из для с от от у к по от за од
  για απο σε στο στη στην στα
  icin ile ve
  في من عن على الى در از به
  של על
  के का की में और`;

/**
 * Articles, conjunctions and prepositions: next to other words they add nothing to a search ("podcasts about
 * technology", "periódicos de madrid").
 */
export const smallWords = wordSet(`${commonArticles} ${commonAnds} ${prepositions}`);

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).filter((word) => word !== ''));
}
