import type { ContactColumn } from '../contacts/contact-columns.ts';
import { isLikelyPlaceholder, isPlaceholder } from './clean-text.ts';

/** Where a network shows the profile of a handle. */
const pages = {
  x_handle: (handle: string) => pageOf('https://x.com/', handle),
  instagram_handle: (handle: string) => pageOf('https://www.instagram.com/', handle),
  linkedin_handle: (handle: string) => pageOf('https://www.linkedin.com/in/', handle),
  bluesky_handle: blueskyPage,
  mastodon_handle: mastodonPage,
} as const satisfies Partial<Record<ContactColumn, (handle: string) => string | null>>;

export const handleColumns = Object.keys(pages) as (keyof typeof pages)[];

const plainHandle = /^[\p{L}\p{N}_.-]{1,60}$/u;
/** Whether somebody has a profile, not which. */
const flag = /^(?:no|yes)$/i;

/** The URL of the profile that a cell names, as a URL or a handle such as `@jane`; null if it names none. */
export function profileLink(column: keyof typeof pages, cell: string): string | null {
  const text = cell.trim();
  const [, url] = /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,}\/[^\s,;|]+)/iu.exec(text) ?? [];
  if (url !== undefined) return `https://${url}`;
  const [handle = ''] = text.replace(/^@/, '').split(/[\s,;|/]+/);
  return isPlaceholder(text) || isLikelyPlaceholder(text) || flag.test(text) ? null : pages[column](handle);
}

function pageOf(start: string, handle: string): string | null {
  return plainHandle.test(handle) ? start + handle : null;
}

function blueskyPage(handle: string): string | null {
  return pageOf('https://bsky.app/profile/', handle.includes('.') ? handle : `${handle}.bsky.social`);
}

/** `jane@news.social`: the server is part of the handle. */
function mastodonPage(handle: string): string | null {
  const [, name, server] = /^([\w.-]+)@((?:[\w-]+\.)+[a-z]{2,})$/i.exec(handle) ?? [];
  return name && server ? `https://${server.toLowerCase()}/@${name}` : null;
}
