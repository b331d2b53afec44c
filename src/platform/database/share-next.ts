/** Callers at the same time share a call, but never one that began before they asked. One call runs at a time. */
export function shareNext<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | undefined
  return () => {
    next ??= running.then(() => {
      next = undefined
      const started = call()
      running = started.catch(() => {})
      return started
    })
    return next
  }
}
