const MAX_WAITING = 1_000

type Subscribe<Item> = (receive: (item: Item) => void, end: () => void) => () => void

/** Items as they come, also those that came before the loop asks for them. A loop that is too slow fails. */
export function createStream<Item>(subscribe: Subscribe<Item>): AsyncIterableIterator<Item> {
  const items: Item[] = []
  let state: 'open' | 'ended' | 'overflowed' = 'open'
  let wake = () => {}
  const unsubscribe = subscribe(
    (item) => {
      if (items.length < MAX_WAITING) items.push(item)
      else close('overflowed')
      wake()
    },
    () => close('ended'),
  )

  function close(reason: 'ended' | 'overflowed'): void {
    if (state === 'open') state = reason
    unsubscribe?.()
    wake()
  }

  return {
    async next() {
      while (items.length === 0) {
        if (state === 'overflowed') throw new Error(`The stream was not read while ${MAX_WAITING} items came.`)
        if (state === 'ended') return { done: true, value: undefined }
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return { done: false, value: items.shift() as Item }
    },
    async return() {
      items.length = 0
      close('ended')
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}
