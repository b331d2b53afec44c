/** How Souk reads the specification where it contradicts itself. docs/readings.md has both sides of each. */
export interface Readings {
  /** The status of a second solicitation for the same order. Default: 403. */
  repeatSolicitation: 403 | 400
  /**
   * Which path destinations have: `/notifications/v1/destinations`, `/notifications/v1/destination`, or both. Default:
   * both.
   */
  destinationPath: 'both' | 'plural' | 'singular'
  /** `strict` refuses getReportDocument without `contentType` in a body also if there is no body. Default: `lenient`. */
  contentType: 'lenient' | 'strict'
  /** `listed` lists the action of an order that is not eligible, as disabled, instead of no action. Default: `hidden`. */
  disabledActions: 'hidden' | 'listed'
}

export type ReadingName = keyof Readings

/** The values of each reading. The first one is the default. */
export const READINGS: { readonly [Name in ReadingName]: readonly [Readings[Name], ...Readings[Name][]] } = {
  repeatSolicitation: [403, 400],
  destinationPath: ['both', 'plural', 'singular'],
  contentType: ['lenient', 'strict'],
  disabledActions: ['hidden', 'listed'],
}

export const defaultReadings: Readonly<Readings> = Object.freeze(
  Object.fromEntries(Object.entries(READINGS).map(([name, [standard]]) => [name, standard])) as unknown as Readings,
)
