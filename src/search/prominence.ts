import type { MediaRecord } from '#records/media-record.ts';

/**
 * How well known a medium is, by what is known of it: which of equal matches comes first. Ten points are a tenfold audience.
 * The length of a name counts nothing.
 */
export function prominenceOf(record: MediaRecord): number {
  const { aliases, coverage, city_size, audience, language } = record;
  const reach = coverage === null ? points.coverage.local : points.coverage[coverage as keyof typeof points.coverage];
  const size = city_size === null ? 0 : points.citySize[city_size as keyof typeof points.citySize];
  const own = audience === null ? reach + size : Math.max(10 * Math.log10(audience + 1), 0);
  // Many names, in many scripts, show that a medium is widely known.
  const known = points.alias * Math.log2(aliases.length + 1);
  return Math.round(10 * (own + known + fullness(record) + (language === null ? 0 : 1)));
}

const points = {
  coverage: { local: 20, regional: 26, national: 34, international: 36 },
  citySize: { town: 0, small: 2, medium: 4, large: 6, mega: 8 },
  alias: 8,
} as const;

/** Records that many fill are of media that many know. A page below another site's home page is hardly the medium itself. */
function fullness({ url, description, categories, feed_url, contact_name, city, type }: MediaRecord): number {
  const known = [description, feed_url, contact_name, city, type].filter((value) => value !== null).length;
  return known + Number(categories.length > 0) + (isHomePage(url) ? 4 : 0);
}

function isHomePage(url: string | null): boolean {
  const parsed = url === null ? null : URL.parse(url);
  if (parsed?.pathname !== '/') return false;
  return parsed.hostname.replace(/^www\./, '').split('.').length <= 3;
}
