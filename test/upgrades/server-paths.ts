/** A text with the folders of docs/operations.md moved into that of a server. */
export function onServer(text: string, root: string): string {
  return text.replace(/(?<=^|[\s="':])\/(opt\/masthead|var\/lib|var\/backups|etc|usr\/local\/sbin)\b/g, `${root}/$1`);
}
