import type { FastifyReply, FastifyRequest } from 'fastify'

/** A handler or a hook of one marketplace. */
export type Step = (request: FastifyRequest, reply: FastifyReply, ...rest: unknown[]) => unknown

export type Done = (error?: unknown, payload?: unknown) => void

/**
 * Runs hooks one after the other, as Fastify does: each calls back or returns a promise, and the first error ends it. Before
 * the response, so does a hook that has sent one.
 */
export function runHooks(
  hooks: readonly Step[],
  request: FastifyRequest,
  reply: FastifyReply,
  done: Done,
  { isAfterResponse }: { isAfterResponse: boolean },
): void {
  let index = 0
  const next = (error?: unknown): void => {
    const hook = hooks[index++]
    if (error || !hook) return void done(error)
    if (!isAfterResponse && reply.sent) return
    try {
      const result = hook(request, reply, next)
      if (result instanceof Promise) result.then(() => next(), failure(done))
    } catch (thrown) {
      done(thrown)
    }
  }
  next()
}

/** As `runHooks`, for hooks that may return or call back with another payload for the next one. */
export function runPayloadHooks(
  hooks: readonly Step[],
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  let index = 0
  let current = payload
  const next: Done = (error, changed) => {
    if (changed !== undefined) current = changed
    const hook = hooks[index++]
    if (error || !hook) return void done(error, current)
    try {
      const result = hook(request, reply, current, next)
      if (result instanceof Promise) result.then((value) => next(undefined, value), failure(done))
    } catch (thrown) {
      done(thrown)
    }
  }
  next()
}

/** A promise may be rejected without an error. */
const failure = (done: Done) => (error: unknown) => done(error ?? new Error('A hook failed without an error'))
