import { nameKey } from '#domain/search/fold.ts';

/** Postal codes of states and provinces that people use in writing: "austin tx". */
const codes = {
  US: `
    AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, CT Connecticut, DE Delaware,
    DC District of Columbia, FL Florida, GA Georgia, HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa,
    KS Kansas, KY Kentucky, LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota,
    MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, NJ New Jersey, NM New Mexico,
    NY New York, NC North Carolina, ND North Dakota, OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania,
    RI Rhode Island, SC South Carolina, SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia,
    WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming`,
  CA: `
    AB Alberta, BC British Columbia, MB Manitoba, NB New Brunswick, NL Newfoundland and Labrador, NS Nova Scotia,
    NT Northwest Territories, NU Nunavut, ON Ontario, PE Prince Edward Island, QC Quebec, SK Saskatchewan, YT Yukon`,
};

/** Codes and names by country. */
const regions = Object.entries(codes).flatMap(([country, listed]) =>
  listed.split(',').map((entry) => {
    const [code = '', ...name] = entry.trim().split(' ');
    return { country, code, name: name.join(' ') };
  }),
);
const codesByName = new Map(regions.map(({ country, code, name }) => [`${country} ${nameKey(name)}`, code]));
const namesByCode = new Map(regions.map(({ country, code, name }) => [`${country} ${code}`, name]));

/** The postal code of a US state or Canadian province by name; null for any other region. */
export function regionCode(region: string | null, country: string | null): string | null {
  return region === null || country === null ? null : (codesByName.get(`${country} ${nameKey(region)}`) ?? null);
}

/** The name of a US state or Canadian province by postal code; null for any other code. */
export function regionName(code: string, country: string): string | null {
  return namesByCode.get(`${country} ${code.toUpperCase()}`) ?? null;
}

/** The name of a region that is given by its code or name; any other text as it is. */
export function longRegion(region: string, country: string | null): string {
  return (country === null ? null : regionName(region, country)) ?? region;
}

/** All names and codes of a region in nameKey form, its own first; only its own if no other is known. */
export function namesOfRegion(region: string, country: string | null): readonly string[] {
  const name = longRegion(region, country);
  const code = regionCode(name, country);
  return code === null ? [nameKey(name)] : [nameKey(name), code.toLowerCase(), `${country} ${code}`.toLowerCase()];
}
