/** The data is that of another marketplace than the seed. */
export class OtherSeedError extends Error {
  constructor(name = 'the seed') {
    super(
      `The data is not from this version of ${name}: start with new data to load it, or without the seed to keep the data.`,
    )
    this.name = 'OtherSeedError'
  }
}
