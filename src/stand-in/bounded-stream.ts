const MAX_WAITING = 1_000

export interface StreamReader<Item> {
  receive(item: Item): void
  /** Whether items wait that the loop has not read. */
  isBehind(): boolean
  /** With an error, the loop fails with it. */
  end(error?: unknown): void
}

type Subscribe<Item> = (reader: StreamReader<Item>) => () => void

/** Items as they come, also those that came before the loop asks for them. A loop that is too slow fails. */
export function createStream<Item>(subscribe: Subscribe<Item>): AsyncIterableIterator<Item> {
  const items: Item[] = []
  let isOpen = true
  let failure: unknown
  let wake = () => {}
  const unsubscribe = subscribe({
    receive(item) {
      if (items.length < MAX_WAITING) items.push(item)
      else close(new Error(`The stream was not read while ${MAX_WAITING} items came.`))
      wake()
    },
    isBehind: () => items.length > 0,
    end: close,
  })

  function close(error?: unknown): void {
    if (isOpen) failure = error
    isOpen = false
    unsubscribe?.()
    wake()
  }

  return {
    async next() {
      while (items.length === 0) {
        if (failure !== undefined) throw failure
        if (!isOpen) return { done: true, value: undefined }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return { done: false, value: items.shift() as Item }
    },
    async return() {
      items.length = 0
      close()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
