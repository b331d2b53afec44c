import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface PutEvents {
  Entries: { DetailType: string; Detail: string }[]
}

/** Our own receiver of PutEvents, because no EventBridge runs here. It keeps all events. */
export class EventBus {
  readonly events: PutEvents['Entries'] = []
  #server: Server | undefined

  async open(): Promise<number> {
    const server = createServer(async (request, response) => {
      const { Entries } = (await json(request)) as PutEvents
      this.events.push(...Entries)
      const body = { FailedEntryCount: 0, Entries: Entries.map((_, index) => ({ EventId: String(index) })) }
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))
    })
    this.#server = server
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  close(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}
