let current: Promise<void> | undefined

/** Resolves at the end of the current event-loop tick. Callers continue in the order of their calls. */
export function endOfTick(): Promise<void> {
  current ??= new Promise((resolve) => {
    setImmediate(() => {
      current = undefined
      resolve()
    })
  })
  return current
}
