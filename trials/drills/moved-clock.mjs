/* Loaded before a program: each SIGUSR2 moves its clock to the next of the offsets in CLOCK_OFFSETS_MS. */
const offsets = (process.env.CLOCK_OFFSETS_MS ?? '').split(',').map(Number);
const RealDate = Date;
let offset = 0;
process.on('SIGUSR2', () => {
  offset = offsets.shift() ?? offset;
});
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + offset);
    else super(...given);
  }
  static now() {
    return RealDate.now() + offset;
  }
};
