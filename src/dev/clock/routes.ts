import { Type } from 'typebox'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { Nullable, strict } from '../../marketplace/schema.ts'
import type { VirtualClock } from '../../platform/clock/port.ts'
import type { Due } from '../../platform/due.ts'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import type { ListDue } from './due-list.ts'
import type { StoredClock } from './stored-clock.ts'

const TEN_YEARS_SECONDS = 10 * 365 * 24 * 60 * 60
export const ClockState = Type.Object({
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
const DueView = Type.Object(
  {
    kind: Type.String({ description: 'What happens, such as `accessTokenExpiry`, or the kind of a job' }),
    time: Type.String({ format: 'date-time' }),
    id: Type.String(),
    description: Type.String(),
  },
  { description: 'Something that happens by itself once the clock reaches its time' },
)
const DEFAULT_DUE = 20
const MAX_DUE = 100

export interface ClockControl {
  clock: VirtualClock
  stored: StoredClock
  listDue: ListDue
  /** Waits for the work that is due, for a limited time. */
  settle(): Promise<void>
}

export const renderClock = (clock: VirtualClock) => ({
  now: clock.now().toISOString(),
  offsetSeconds: clock.offsetMilliseconds / 1000,
  frozen: clock.isFrozen,
})

const tags = ['stand-in']
const config = { access: 'public' } as const

/** Virtual time: tests can move and freeze the clock of the whole service. */
export function createClockRoutes({ clock, stored, listDue, settle }: ClockControl): Routes {
  const state = () => renderClock(clock)

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

    app.post(
      '/_souk/clock/next',
      {
        config,
        schema: {
          operationId: 'advanceClockToNext',
          summary: 'Advance the clock to what is due next',
          tags,
          body: Type.Optional(
            Type.Union([
              Type.Object(
                {
                  keepTokens: Type.Optional(
                    Type.Boolean({ description: 'Keep access tokens valid across the move. Default: false' }),
                  ),
                },
                strict,
              ),
              Type.Null(),
            ]),
          ),
          response: {
            200: Type.Object({
              ...ClockState.properties,
              due: Nullable(DueView),
              alsoDue: Type.Array(DueView, {
                description: `What else is due at the same time, ${MAX_DUE - 1} at most`,
              }),
            }),
            ...errorResponses,
          },
        },
      },
      async ({ body }) => {
        const { keepTokens = false } = body ?? {}
        const find = async () => {
          await settle()
          const next = await listDue({ after: clock.now(), limit: MAX_DUE, keepTokens })
          return next.filter(({ time }) => time.getTime() === next[0]?.time.getTime())
        }
        const [due = null, ...alsoDue] = (await stored.moveTo(find, { keepTokens })).map(renderDue)
        return { ...state(), due, alsoDue }
      },
    )

    app.get(
      '/_souk/clock/due',
      {
        config,
        schema: {
          operationId: 'listDue',
          summary: 'List what is due next',
          tags,
          querystring: Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DUE })) }, strict),
          response: {
            200: Type.Object({ now: ClockState.properties.now, due: Type.Array(DueView) }),
            ...errorResponses,
          },
        },
      },
      async ({ query: { limit = DEFAULT_DUE } }) => {
        const now = clock.now()
        const due = await listDue({ after: now, limit })
        return { now: now.toISOString(), due: due.map(renderDue) }
      },
    )
  }
}

const renderDue = ({ time, ...due }: Due) => ({ ...due, time: time.toISOString() })
