export interface PageRequest {
  page: 'explorer' | 'lists' | 'media' | 'plans' | 'claim' | 'account' | 'docs' | 'errors' | 'fault';
  /** The way from the page to the root of the service: `./`, `../` and so on. */
  root: string;
  contactEmail: string | null;
  /** What the page shows, as JSON: the module gets the same. */
  data: object;
  query: URLSearchParams;
}

/** Renders a page for the server: its title, a line for search engines, its module (null: it only says something) and its HTML. */
export function renderPage(request: PageRequest): {
  title: string;
  description: string;
  script: string | null;
  body: string;
};

/** What the query of the explorer's URL may hold: its links repeat it. */
export const maxQuery: { characters: number; values: number };

export function fitsPage(query: URLSearchParams): boolean;
