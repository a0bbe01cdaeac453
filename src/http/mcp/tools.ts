import { countMedia } from './count-media.ts';
import { getList, getLists } from './get-lists.ts';
import { getRecord } from './get-record.ts';
import { lookupMedia } from './lookup-media.ts';
import { searchMedia } from './search-media.ts';
import type { Tool } from './tool.ts';

/** THE TOOLS, in the order in which models see them. */
export const tools: readonly Tool[] = [searchMedia, countMedia, getRecord, lookupMedia, getLists, getList];

/** What models are told about all of them. */
export const instructions = `Masthead is a database of news outlets, podcasts and newsletters with their contacts: editorial or publisher addresses to pitch to. Use count_media to see how many records match and which values there are, search_media to find them, get_record for everything about one, and lookup_media for a list of websites or ids.
Filters are exact and say more than words in q, so prefer them for country, language, kind, topic and size. Wrong arguments are errors that name the right ones. Without a key with an active plan, emails are masked, such as j***@example.org: never guess what a mask hides.`;
