/** A page, as far as its server has to know it. */
export interface RenderedPage {
  title: string;
  /** One line for search engines and previews. */
  description: string;
  /** Its module, such as `explorer.js`; null for a page that only says something. */
  script: string | null;
  /** HTML, with what the module reads. */
  body: string;
}

export interface PageRequest {
  page: 'explorer' | 'lists' | 'media' | 'plans' | 'claim' | 'account' | 'docs' | 'errors' | 'fault';
  /** The way from the page to the root of the service: `./`, `../` and so on. */
  root: string;
  contactEmail: string | null;
  /** What the page shows, as JSON: the module gets the same. */
  data: object;
  /** The query of its URL. */
  query: URLSearchParams;
}

/** What the query of the explorer's URL may hold: its links repeat it. */
export const maxQuery: { characters: number; values: number };

/** Whether the explorer can show the search of its URL. */
export function fitsPage(query: URLSearchParams): boolean;

export type RenderPage = (request: PageRequest) => RenderedPage;

/** Renders a page for the server. Its module takes over what is shown. */
export const renderPage: RenderPage;
