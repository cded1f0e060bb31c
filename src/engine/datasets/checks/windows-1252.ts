/** What the bytes 0x80 to 0x9F are in Windows-1252 (the WHATWG's index); U+FFFD: nothing. */
export const windows1252 = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

const byteOfCharacter = new Map([...windows1252].map((character, index) => [character, 0x80 + index]));

/** The byte that Windows-1252 or Latin-1 reads as this UTF-16 unit; -1: none does. */
export function byteOf(unit: number): number {
  if (unit < 0x100) return unit;
  if (unit === 0xfffd) return -1;
  return byteOfCharacter.get(String.fromCharCode(unit)) ?? -1;
}
