import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../http/route.ts'
import { strict } from '../marketplace/schema.ts'
import { LATEST_TIME, type VirtualClock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'
import { loadSetting, storeSetting } from './settings.ts'

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 60 * 60
const ClockState = Type.Object({
  now: Type.String({ format: 'date-time' }),
  offsetSeconds: Type.Number({ description: 'Total offset from the system clock' }),
})
const tags = ['stand-in']
const config = { access: 'public' } as const

/** Virtual time: tests can advance the clock of the whole service. */
export function createClockRoutes(clock: VirtualClock, database: Database): Routes {
  const state = () => ({ now: clock.now().toISOString(), offsetSeconds: clock.offsetMilliseconds / 1000 })

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
          summary: 'Advance the clock',
          tags,
          body: Type.Object({ advanceSeconds: Type.Number({ minimum: 0, maximum: TEN_YEARS_SECONDS }) }, strict),
          response: { 200: ClockState, ...errorResponses },
        },
      },
      async (request) => {
        // Stored first, because expired tokens would be valid again if the clock were behind after a restart.
        const offset = await database.transact(async (tx) => {
          const stored = await loadSetting(tx, 'clockOffsetMilliseconds')
          const moved = Number(stored ?? clock.offsetMilliseconds) + Math.round(request.body.advanceSeconds * 1000)
          const time = clock.now().getTime() + moved - clock.offsetMilliseconds
          if (time > LATEST_TIME.getTime()) {
            throw invalidParameter('advanceSeconds', `moves the clock beyond ${LATEST_TIME.toISOString()}`)
          }
          await storeSetting(tx, 'clockOffsetMilliseconds', String(moved))
          return moved
        })
        clock.advance(Math.max(0, offset - clock.offsetMilliseconds))
        return state()
      },
    )
  }
}
