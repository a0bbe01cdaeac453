import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

const Root = createContext('./');

/** Gives the views within it the way from their page to the root of the service: `./` or `../`. */
export const InRoot = Root.Provider;

/** The way to the root. Every URL is relative to it, so that the service also works below a path. */
export function useRoot() {
  return useContext(Root);
}
