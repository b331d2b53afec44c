/** Calls back once for all calls in one event-loop tick. */
export function oncePerTick(callback: () => void): () => void {
  let isPlanned = false
  return () => {
    if (isPlanned) return
    isPlanned = true
    setImmediate(() => {
      isPlanned = false
      callback()
    })
  }
}
