/**
 * Articles, prepositions and conjunctions between search words: "podcasts about technology", "periódicos de madrid".
 * English, Spanish, French, German, Portuguese and Italian, folded.
 */
const smallWords = new Set(
  `a about an and at by for from in of on or that the to with
   al con de del el en la las los para por que sobre un una y
   au aux dans des du et le les pour sur une
   am auf aus das dem den der die ein eine fur im mit uber und vom von zu zum zur
   ao as com da das do dos e em na nas no nos o os para um uma
   alla dal dalla degli dei della delle di gli i il nel nella per su sul sulla`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Whether a folded word adds nothing to a search next to other words. */
export function isSmallWord(word: string): boolean {
  return smallWords.has(word);
}
