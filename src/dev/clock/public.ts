// Users compile these types, so they refer to no dependency, and to no module that does.
import type { VirtualClock } from '../../platform/clock/port.ts'

/** Something that happens by itself once the clock reaches its time. */
export interface DueWork {
  /** What happens, such as `accessTokenExpiry` or `fireReportSchedule`. docs/control-plane.md lists them. */
  kind: string
  time: Date
  id: string
  description: string
}

export interface NextWork extends DueWork {
  /** What else is due at the same time. */
  alsoDue: DueWork[]
}

/** The clock of the marketplace. */
export interface SoukClock extends VirtualClock {
  /**
   * Waits for the work that is due, moves the clock to what is due next, and returns it. Undefined, without a move, if
   * nothing is.
   */
  next(options?: { keepTokens?: boolean }): Promise<NextWork | undefined>
  /** Lists what is due next, earliest first. Default: 20 at most. */
  due(options?: { limit?: number }): Promise<DueWork[]>
}
