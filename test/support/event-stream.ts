import { Readable } from 'node:stream'

export interface StreamedEvent {
  event: string
  data: Record<string, unknown>
}

/** Reads server-sent events as a client does. Comments are skipped. */
export async function* readEvents(body: AsyncIterable<Uint8Array | string>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      const data = fields.get('data')
      if (data !== undefined) yield { event: fields.get('event') ?? 'message', data: JSON.parse(data) }
    }
  }
}

/** All events up to the end of the stream. */
export const readAll = (events: AsyncGenerator<StreamedEvent>): Promise<StreamedEvent[]> =>
  Readable.from(events).toArray()
