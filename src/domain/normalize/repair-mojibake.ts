/** What Windows-1252 shows for the bytes 0x80–0x9f, where it differs from Latin-1. */
const windows1252 = new Map<number, number>(
  [
    ...[0x20ac, 0, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17d, 0],
    ...[
      0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x2dc, 0x2122, 0x161, 0x203a, 0x153, 0, 0x17e, 0x178,
    ],
  ].map((code, index) => [code, 0x80 + index]),
);

/** The lead byte of a UTF-8 sequence and what follows it, each shown as a letter. */
const suspicion = /[\u00c2-\u00f4][\u0080-\u00bf\u0152-\u2122]/;
const control = /\p{Cc}/u;
const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Re-decodes text whose UTF-8 bytes were read as Latin-1 or Windows-1252: `ZÃ¡rate` → `Zárate`. Only if it is certain:
 * every character stands for one byte and all bytes together are valid UTF-8. Anything else is returned unchanged.
 */
export function repairMojibake(text: string): string {
  if (!mayBeMojibake(text)) return text;
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    const byte = code <= 0xff ? code : windows1252.get(code);
    if (byte === undefined) return text;
    bytes[index] = byte;
  }
  try {
    const repaired = decoder.decode(bytes);
    return control.test(repaired.replace(/[\t\n\r]/g, '')) ? text : repaired;
  } catch {
    return text;
  }
}

/** Whether the text looks like mojibake: a quick test that clears most texts. */
export function mayBeMojibake(text: string): boolean {
  return suspicion.test(text);
}
