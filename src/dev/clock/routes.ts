import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import type { VirtualClock } from '../../platform/clock/port.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import type { StoredClock } from './stored-clock.ts'

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 60 * 60
const ClockState = Type.Object({
  now: Type.String({ format: 'date-time' }),
  offsetSeconds: Type.Number({ description: 'Total offset from the system clock' }),
  frozen: Type.Boolean({ description: 'Whether the clock stands still until it is moved' }),
})
const ClockChange = Type.Object(
  {
    advanceSeconds: Type.Optional(Type.Number({ minimum: 0, maximum: TEN_YEARS_SECONDS })),
    time: Type.Optional(
      Type.String({ format: 'date-time', description: 'The time to move to, not before the current one' }),
    ),
    frozen: Type.Optional(Type.Boolean({ description: 'Whether the clock stands still from then on' })),
    keepTokens: Type.Optional(
      Type.Boolean({
        description:
          'Keep access tokens valid across the move, for clients that cache them by the system clock. Default: false',
      }),
    ),
  },
  strict,
)
const tags = ['stand-in']
const config = { access: 'public' } as const

/** Virtual time: tests can move and freeze the clock of the whole service. */
export function createClockRoutes(clock: VirtualClock, stored: StoredClock): Routes {
  const state = () => ({
    now: clock.now().toISOString(),
    offsetSeconds: clock.offsetMilliseconds / 1000,
    frozen: clock.isFrozen,
  })

  return (app: App) => {
    app.get(
      '/_souk/clock',
      {
        config,
        schema: { operationId: 'getClock', summary: 'Get the clock', tags, response: { 200: ClockState } },
      },
      async () => state(),
    )

    app.post(
      '/_souk/clock',
      {
        config,
        schema: {
          operationId: 'advanceClock',
          summary: 'Advance or freeze the clock',
          tags,
          body: ClockChange,
          response: { 200: ClockState, ...errorResponses },
        },
      },
      async ({ body }) => {
        const { advanceSeconds, time, frozen } = body
        if (advanceSeconds !== undefined && time !== undefined) {
          throw invalidParameter('time', 'must not be combined with advanceSeconds')
        }
        if (advanceSeconds === undefined && time === undefined && frozen === undefined) {
          throw invalidParameter('advanceSeconds', 'is missing: send advanceSeconds, time or frozen')
        }
        await stored.change(body)
        return state()
      },
    )
  }
}
