import type { Request, Response } from 'express';
import { languages } from '#web/render.js';

/** The cookie of a language chosen by hand. */
const cookie = 'masthead-language=';

/** The language of a page: chosen by hand, else what the browser prefers of what there is. The answer says that it depends. */
export function chooseLanguage(req: Request, res: Response): string {
  res.vary('Accept-Language, Cookie');
  const cookies = (req.get('Cookie') ?? '').split(';').map((text) => text.trim());
  const chosen = cookies.find((text) => text.startsWith(cookie))?.slice(cookie.length);
  if (chosen !== undefined && languages.includes(chosen)) return chosen;
  return req.acceptsLanguages(...languages) || (languages[0] ?? 'en');
}
