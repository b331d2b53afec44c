import { connect, type Socket } from 'node:net'

export function openSocket(url: string, options: { allowHalfOpen?: boolean } = {}): Socket {
  const { hostname, port } = new URL(url)
  return connect({ host: hostname, port: Number(port), ...options })
}

/** Writes raw bytes to a server and returns everything received until it closes the connection. */
export function exchange(url: string, bytes: string, onConnect?: (socket: Socket) => void): Promise<string> {
  const socket = openSocket(url)
  const received = readToEnd(socket)
  socket.once('connect', () => {
    socket.write(bytes)
    onConnect?.(socket)
  })
  return received
}

/** Everything received until the connection closes, also by an error: a server may reset unwanted requests. */
export function readToEnd(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (data) => {
    received += data
  })
  socket.on('error', () => {})
  return new Promise((resolve) => {
    // On a slow machine it may have been closed already.
    if (socket.closed) resolve(received)
    else socket.on('close', () => resolve(received))
  })
}
