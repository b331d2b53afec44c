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

export interface MoveOptions {
  /** Whether access tokens stay valid across the move, for clients that cache them by the system clock. Default: false. */
  keepTokens?: boolean
}

/** The clock of the marketplace. */
export interface SoukClock extends VirtualClock {
  advance(milliseconds: number): void
  /**
   * With options, by a request of the control plane. Forward only and by ten years at most, and otherwise rejects with
   * an `ActError`.
   */
  advance(milliseconds: number, options: MoveOptions): Promise<void>
  set(time: Date): void
  /** The same to a time, however far away. */
  set(time: Date, options: MoveOptions): Promise<void>
  /**
   * Waits for the work that is due, moves the clock to what is due next, and returns it. Undefined, without a move, if
   * nothing is.
   */
  next(options?: MoveOptions): Promise<NextWork | undefined>
  /** Lists what is due next, earliest first. Default: 20 at most. */
  due(options?: { limit?: number }): Promise<DueWork[]>
}
