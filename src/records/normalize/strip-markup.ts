import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2';

/** The elements of HTML, and the root elements of embedded formats: what makes `<…>` a tag and not just words. */
export const elements =
  'a|abbr|acronym|address|applet|area|article|aside|audio|b|base|bdi|bdo|big|blink|blockquote|body|br|button|canvas|caption|center|cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|dir|div|dl|dt|em|embed|fieldset|figcaption|figure|font|footer|form|frame|frameset|h[1-6]|head|header|hgroup|hr|html|i|iframe|image|img|input|ins|kbd|label|legend|li|link|main|map|mark|marquee|math|menu|meta|meter|nav|nobr|noembed|noframes|noscript|object|ol|optgroup|option|output|p|param|picture|plaintext|pre|progress|q|rp|rt|ruby|s|samp|script|search|section|select|slot|small|source|span|strike|strong|style|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|title|tr|track|tt|u|ul|var|video|wbr|xmp';

/** Inline elements. All others separate what is before from what is after. */
const inline =
  /^(?:a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|mark|nobr|q|s|samp|small|span|strike|strong|sub|sup|tt|u|var|wbr)$/;

/** A `<` of no comment, declaration or tag (a known element, closed or cut in attributes; an unknown one with them). */
const plainLess = new RegExp(
  `<(?!/?(?:${elements})(?=[\\s/>])(?=[^<]*>|[^<>]*=)|[a-z][\\w:-]*\\s[^<>]*=|!--|!doctype|!\\[cdata\\[|\\?xml)`,
  'gi',
);
const plainAmpersand = /&(?!#\d+;|#x[\da-f]+;|[a-z][a-z\d]*;)/gi;
const suspicion = /<[a-z!?/]|&[a-z#]/i;

/** Honest text is not escaped more often than this. Hostile text may be. */
const maxPasses = 6;

/** Removes tags, comments, scripts and entities, also escaped ones. Keeps `<` and `&` in text: `AT&T`, `a < b`. */
export function stripMarkup(text: string): string {
  let current = text;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    if (!suspicion.test(current)) return current;
    const stripped = stripOnce(current);
    if (stripped === current) return current;
    current = stripped;
  }
  return current.replace(/[<&]/g, ' ');
}

function ignore(): void {}

const ignored = {
  oncomment: ignore,
  ondeclaration: ignore,
  onprocessinginstruction: ignore,
  onopentagend: ignore,
  onend: ignore,
  onattribname: ignore,
  onattribdata: ignore,
  onattribentity: ignore,
  onattribend: ignore,
};

/** Removes one level of tags and entities. Nested tags take no more time than others. */
function stripOnce(text: string): string {
  const markup = text.replace(plainLess, '&lt;').replace(plainAmpersand, '&amp;');
  const parts: string[] = [];
  let unread = '';
  const onTag = (name: string) => {
    if (!inline.test(name)) parts.push(' ');
  };
  const callbacks: TokenizerCallbacks = {
    ...ignored,
    ontext(start, end) {
      if (unread === '') parts.push(markup.slice(start, end));
    },
    ontextentity(codePoint) {
      if (unread === '') parts.push(String.fromCodePoint(codePoint));
    },
    onopentagname(start, end) {
      const name = markup.slice(start, end).toLowerCase();
      if (name === 'script' || name === 'style') unread = name;
      onTag(name);
    },
    onclosetag(start, end) {
      const name = markup.slice(start, end).toLowerCase();
      if (name === unread) unread = '';
      onTag(name);
    },
    onselfclosingtag() {
      unread = '';
    },
    oncdata(start, end, endOffset) {
      parts.push(markup.slice(start, end - endOffset));
    },
  };
  const tokenizer = new Tokenizer({}, callbacks);
  tokenizer.write(markup);
  tokenizer.end();
  return parts.join('');
}
