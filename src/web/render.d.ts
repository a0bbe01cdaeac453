export interface PageRequest {
  page: 'explorer' | 'lists' | 'media' | 'plans' | 'claim' | 'account' | 'docs' | 'errors' | 'fault';
  /** The relative URL of the service's root: `./`, `../` and so on. */
  root: string;
  contactEmail: string | null;
  operator: import('./views/frame.js').Operator;
  /** The fields that pages show of a record. */
  fields: import('./views/fields.js').ShownFields;
  /** What the page shows, as JSON: the module gets the same. */
  data: object;
  query: URLSearchParams;
}

/** Renders a page on the server: its title, a description for search engines, its module (null if it needs none) and its HTML. */
export function renderPage(request: PageRequest): {
  title: string;
  description: string;
  script: string | null;
  body: string;
};

/** How long the query of the explorer's URL may be. The many links of the page repeat it. */
export const maxQuery: { characters: number; values: number };

export function fitsPage(query: URLSearchParams): boolean;

/** The order that a page of these has unless its URL names one. */
export function usualSort(of: { of: 'media' | 'people'; q: string }): 'reachable' | 'relevance';
