import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  url: string
  stop(): Promise<void>
}

/**
 * Stands between a client and a server to lose what a real network loses. After a client has sent what is named, the
 * server's answer to it does not arrive: the connection is cut instead.
 */
export async function startCuttingProxy(target: string, cutsAnswerTo: string): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const { hostname, port } = new URL(target)
  const proxy = createServer((client) => {
    const server = connect(Number(port), hostname)
    let isCutting = false
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on('data', (bytes) => {
      isCutting ||= bytes.includes(cutsAnswerTo)
      server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (isCutting) client.destroy()
      else client.write(bytes)
    })
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(target)
  url.port = String((proxy.address() as AddressInfo).port)
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
