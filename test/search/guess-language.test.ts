import { expect, it } from 'vitest';
import { guessLanguage } from '#search/guess-language.ts';
import { foldedWords } from '#text/fold.ts';

it.each([
  ['Stories from the valley, and what we make of them', 'en'],
  ['Ein Gespräch über die Oper und das Theater', 'de'],
  ['Histoires de la mer pour les enfants', 'fr'],
  ['Una hora con los libros que más nos gustan', 'es'],
  ['Uma conversa sobre os livros que não lemos', 'pt'],
  ['Hver uge taler vi om mad, og hvad der er godt af', 'da'],
  ['Hva skjer etter skolen? Vi snakker med deg om det', 'no'],
  ['Ежедневные новости города', 'ru'],
  ['Щоденні новини міста', 'uk'],
  ['毎週の音楽番組です', 'ja'],
  ['每周音乐节目', 'zh'],
  ['أخبار المدينة كل يوم', 'ar'],
  ['Her gün şehrin haberleri ve müziği, ağır ağır', 'tr'],
  // Lists of names, and too few words, tell nothing.
  ['Coldplay, Radiohead, Muse, Blur', null],
  ['FM 98.1', null],
  ['', null],
])('%j is in %s', (text, language) => {
  expect(guessLanguage(text, foldedWords(text))).toBe(language);
});
