import { ActError, type ActErrorDetail } from '../acts/act-error.ts'
import type { DueWork, MoveOptions, SoukClock } from '../dev/clock/public.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import type { SendJson } from './life-client.ts'

const MILLISECONDS_PER_SECOND = 1000

interface NextView {
  due: DueView | null
  alsoDue: DueView[]
}

type DueView = Omit<DueWork, 'time'> & { time: string }

/** The clock of `startSouk`: moves in this process, and the requests of `/_souk/clock`. */
export function createClockClient(clock: VirtualClock, send: SendJson): SoukClock {
  const call = async <Result>(...request: Parameters<SendJson>): Promise<Result> => {
    const response = await send(...request)
    const result = response.json()
    if (response.statusCode === 200) return result as Result
    throw new ActError(response.statusCode, (result as { errors: ActErrorDetail[] }).errors)
  }
  const move = async (change: object) => void (await call('POST', '/_souk/clock', change))
  function advance(milliseconds: number): void
  function advance(milliseconds: number, options: MoveOptions): Promise<void>
  function advance(milliseconds: number, options?: MoveOptions): Promise<void> | void {
    if (!options) return clock.advance(milliseconds)
    return move({ ...options, advanceSeconds: milliseconds / MILLISECONDS_PER_SECOND })
  }
  function set(time: Date): void
  function set(time: Date, options: MoveOptions): Promise<void>
  function set(time: Date, options?: MoveOptions): Promise<void> | void {
    return options ? move({ ...options, time: time.toISOString() }) : clock.set(time)
  }
  return {
    now: () => clock.now(),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
    advance,
    set,
    freeze: () => clock.freeze(),
    unfreeze: () => clock.unfreeze(),
    get isFrozen() {
      return clock.isFrozen
    },
    reset: () => clock.reset(),
    get offsetMilliseconds() {
      return clock.offsetMilliseconds
    },
    onMove: (listener) => clock.onMove(listener),

    async next(options = {}) {
      const { due, alsoDue } = await call<NextView>('POST', '/_souk/clock/next', options)
      return due ? { ...toDueWork(due), alsoDue: alsoDue.map(toDueWork) } : undefined
    },
    async due({ limit } = {}) {
      const query = limit === undefined ? '' : `?limit=${limit}`
      const { due } = await call<{ due: DueView[] }>('GET', `/_souk/clock/due${query}`)
      return due.map(toDueWork)
    },
  }
}

const toDueWork = (due: DueView): DueWork => ({ ...due, time: new Date(due.time) })
