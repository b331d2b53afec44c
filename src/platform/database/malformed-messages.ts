import type { Duplex } from 'node:stream'
import type pg from 'pg'

type DriverConnection = { attachListeners(stream: Duplex): void }
type OnData = (bytes: Buffer) => void

/**
 * Closes a connection with a message that the driver does not understand, such as a way to authenticate that it does not know. The
 * driver parses in an event of the socket, where its error would end the process.
 */
export function closeOnMalformedMessages(connection: pg.Connection): void {
  const driver = connection as unknown as DriverConnection
  const attach = driver.attachListeners.bind(driver)
  driver.attachListeners = (stream) => {
    const others = new Set(stream.listeners('data'))
    attach(stream)
    const parsers = stream.listeners('data').filter((listener) => !others.has(listener)) as OnData[]
    for (const parse of parsers) {
      stream.off('data', parse)
      stream.on('data', (bytes: Buffer) => {
        try {
          parse(bytes)
        } catch (error) {
          stream.destroy(error as Error)
        }
      })
    }
  }
}
