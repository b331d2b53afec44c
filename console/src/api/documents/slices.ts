const SLICE_MILLISECONDS = 12

/** Returns a function to call between small steps of long work. It lets the browser draw and react when it is time. */
export function createPauses(signal?: AbortSignal): () => Promise<void> | undefined {
  let sliceEnd = performance.now() + SLICE_MILLISECONDS
  return () => {
    if (performance.now() < sliceEnd) return undefined
    return nextTask().then(() => {
      signal?.throwIfAborted()
      sliceEnd = performance.now() + SLICE_MILLISECONDS
    })
  }
}

/** Not a timer: browsers delay those of a page in the background, and nested ones everywhere. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
