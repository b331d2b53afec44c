import { useEffect, useRef, useState } from 'react'

export type StreamState = 'connecting' | 'open' | 'lost'

/**
 * Listens to server-sent events for as long as the component is shown. Events are handed over in batches, once per frame, so
 * that hundreds of them per second do not freeze the page. The browser connects again by itself.
 */
export function useEventStream<Data>(
  url: string | undefined,
  { events, onBatch }: { events: readonly string[]; onBatch(batch: Data[]): void },
): StreamState {
  const [state, setState] = useState<StreamState>('connecting')
  const handler = useRef(onBatch)
  handler.current = onBatch
  const names = events.join(' ')
  useEffect(() => {
    if (url === undefined) return
    const source = new EventSource(url)
    let batch: Data[] = []
    let frame = 0
    const receive = (event: MessageEvent<string>) => {
      batch.push(JSON.parse(event.data))
      frame ||= requestAnimationFrame(() => {
        const complete = batch
        batch = []
        frame = 0
        handler.current(complete)
      })
    }
    for (const name of names.split(' ')) source.addEventListener(name, receive)
    source.onopen = () => setState('open')
    source.onerror = () => setState('lost')
    return () => {
      cancelAnimationFrame(frame)
      source.close()
    }
  }, [url, names])
  return state
}
