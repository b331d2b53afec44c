import type { FastifyReply, FastifyRequest } from 'fastify'
import { isFromConsole } from '../../http/console-header.ts'
import { type App, addRouteHooks, type Routes } from '../../http/route.ts'
import { isClientTraffic } from '../requests/capture.ts'

const MINUTE_MILLISECONDS = 60_000
const MINUTES = 60

/** Requests that ended in one minute. */
export interface ActivityMinute {
  /** When the minute began. */
  time: number
  requests: number
  /** With a status of 400 to 499. */
  refused: number
  /** With a status of 500 or more. */
  failed: number
}

/** Counts the requests of clients by minute of real time, for the last hour. */
export class Activity {
  readonly #now: () => number
  readonly #slots: (ActivityMinute | undefined)[] = new Array(MINUTES)

  constructor(now = () => Date.now()) {
    this.#now = now
  }

  count(status: number): void {
    const minute = this.#minuteAt(this.#now())
    minute.requests++
    if (status >= 500) minute.failed++
    else if (status >= 400) minute.refused++
  }

  /** Oldest first, with the minute that has not ended. */
  list(): ActivityMinute[] {
    const current = startOf(this.#now())
    return Array.from({ length: MINUTES }, (_, index) => {
      const time = current - (MINUTES - 1 - index) * MINUTE_MILLISECONDS
      const minute = this.#slots[slotOf(time)]
      return minute?.time === time ? { ...minute } : newMinute(time)
    })
  }

  /** Hooks on the routes that are registered from now on, and on requests without a route. */
  readonly hooks: Routes = (app: App) => {
    const count = (request: FastifyRequest, reply: FastifyReply, done: () => void) => {
      if (!isFromConsole(request)) this.count(reply.statusCode)
      done()
    }
    addRouteHooks(app, ({ url }) => (isClientTraffic(url) ? { onResponse: count } : {}))
    app.addHook('onResponse', (request, reply, done) => {
      if (request.is404 && isClientTraffic(request.url)) return count(request, reply, done)
      done()
    })
  }

  #minuteAt(now: number): ActivityMinute {
    const time = startOf(now)
    const minute = this.#slots[slotOf(time)]
    if (minute?.time === time) return minute
    const next = newMinute(time)
    this.#slots[slotOf(time)] = next
    return next
  }
}

const startOf = (now: number) => now - (now % MINUTE_MILLISECONDS)
const slotOf = (time: number) => (time / MINUTE_MILLISECONDS) % MINUTES
const newMinute = (time: number): ActivityMinute => ({ time, requests: 0, refused: 0, failed: 0 })
