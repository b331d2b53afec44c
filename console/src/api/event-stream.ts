import { startTransition, useEffect, useRef, useState } from 'react'

/** A first event is shown at once, and many are drawn a few times a second: drawing takes longer than receiving. */
const PAUSE_MILLISECONDS = 100

/** A stream that is lost connects again by itself. One that is closed, because the service refused it, does not. */
export type StreamState = 'connecting' | 'open' | 'lost' | 'closed'

/**
 * Listens to server-sent events for as long as the component is shown. Events are handed over in batches, so that
 * hundreds of them per second do not freeze the page, and clicks go before them.
 */
export function useEventStream<Data>(
  url: string | undefined,
  { events, onBatch }: { events: readonly string[]; onBatch(batch: Data[]): void },
): { state: StreamState; connect(): void } {
  const [state, setState] = useState<StreamState>('connecting')
  const [attempt, setAttempt] = useState(0)
  const handler = useRef(onBatch)
  handler.current = onBatch
  const names = events.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt is a connection of its own
  useEffect(() => {
    if (url === undefined) return
    setState('connecting')
    const source = new EventSource(url)
    let batch: Data[] = []
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastAt = Number.NEGATIVE_INFINITY
    const handOver = () => {
      const complete = batch
      batch = []
      timer = undefined
      lastAt = performance.now()
      startTransition(() => handler.current(complete))
    }
    const receive = (event: MessageEvent<string>) => {
      batch.push(JSON.parse(event.data))
      timer ??= setTimeout(handOver, Math.max(0, lastAt + PAUSE_MILLISECONDS - performance.now()))
    }
    for (const name of names.split(' ')) source.addEventListener(name, receive)
    source.onopen = () => setState('open')
    source.onerror = () => setState(source.readyState === EventSource.CLOSED ? 'closed' : 'lost')
    return () => {
      clearTimeout(timer)
      source.close()
    }
  }, [url, names, attempt])
  return { state, connect: () => setAttempt((count) => count + 1) }
}
