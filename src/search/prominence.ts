import type { MediaRecord } from '#records/media-record.ts';
import { hostLabel, hostOfUrl } from '#text/hosts.ts';

/**
 * How well known a medium is, by what is known of it: which of equal matches comes first. Ten points are a tenfold audience.
 * The length of a name counts nothing. The points are those under which the tasks of `npm run relevance` score best.
 */
export function prominenceOf(record: MediaRecord): number {
  const { coverage, city, city_size, audience, categories, language } = record;
  const reach = coverage === null ? points.unknownCoverage : points.coverage[coverage as keyof typeof points.coverage];
  const size = city_size === null ? 0 : points.citySize[city_size as keyof typeof points.citySize];
  const own = audience === null ? reach + size : Math.max(10 * Math.log10(audience + 1), 0);
  // A record that says where, in which language and about what is of a medium that many know.
  const said = (city === null ? 0 : points.city) + (language === null ? 0 : points.language);
  const about = categories.length === 0 ? 0 : points.categories;
  return Math.round(10 * (own + said + about + fameOfNames(record) + fameOfHost(record)));
}

const points = {
  unknownCoverage: 16,
  coverage: { local: 20, regional: 24, national: 30, international: 30 },
  citySize: { town: 0, small: 2, medium: 4, large: 6, mega: 8 },
  city: 4,
  language: 3,
  categories: 2,
  homePage: 4,
  /** Each letter that the label of its host has less than twelve: short ones are scarce. */
  letter: 1 / 3,
  alias: 1,
  nameInOtherScript: 4,
} as const;

const maxLabel = 12;
/** Of letters that are not Latin. */
const otherScript = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;

/** A medium that is named in many scripts is known in much of the world. `El País (Uruguay)` says that another is better known. */
function fameOfNames({ aliases }: MediaRecord): number {
  const names = aliases.filter((alias) => !/[(（]/.test(alias));
  const inOtherScripts = names.filter((alias) => otherScript.test(alias));
  return points.alias * Math.log2(names.length + 1) + points.nameInOtherScript * Math.log2(inOtherScripts.length + 1);
}

/** A page below another site's home page is hardly the medium itself. */
function fameOfHost({ url }: MediaRecord): number {
  const host = url === null ? null : hostOfUrl(url);
  if (url === null || host === null || URL.parse(url)?.pathname !== '/') return 0;
  const isOwn = host.split('.').length <= 3;
  return (isOwn ? points.homePage : 0) + points.letter * Math.max(0, maxLabel - hostLabel(host).length);
}
