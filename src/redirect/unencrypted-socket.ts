import { Socket, type SocketConstructorOpts } from 'node:net'
import { REDIRECT_HEADER } from '../platform/vendor-hosts.ts'

type Done = (error?: Error | null) => void
type Chunk = Buffer | string

/** A connection without TLS that its user takes for one with TLS. */
export class UnencryptedSocket extends Socket {
  readonly encrypted = true
  readonly authorizationError = null
  readonly servername: string
  /** HTTP/1.1 is what clients fall back to without ALPN. */
  readonly alpnProtocol = false
  authorized = false
  secureConnecting = true
  #isMarked = false

  constructor(options: SocketConstructorOpts, servername: string) {
    super(options)
    this.servername = servername
    this.once('connect', () => {
      // Later, because clients wait for the second event only after the first.
      process.nextTick(() => {
        this.secureConnecting = false
        if (this.destroyed) return
        this.authorized = true
        this.emit('secure')
        this.emit('secureConnect')
      })
    })
  }

  override _write(chunk: Chunk, encoding: BufferEncoding, done: Done): void {
    super._write(this.#mark(chunk), encoding, done)
  }

  override _writev(chunks: { chunk: Chunk; encoding: BufferEncoding }[], done: Done): void {
    const [first, ...others] = chunks
    super._writev?.(first ? [{ ...first, chunk: this.#mark(first.chunk) }, ...others] : chunks, done)
  }

  /** Adds a header to the first request, because the Host header alone does not show that it was redirected. */
  #mark(chunk: Chunk): Chunk {
    if (this.#isMarked) return chunk
    this.#isMarked = true
    const end = chunk.indexOf('\r\n')
    if (end === -1) return chunk
    const header = `\r\n${REDIRECT_HEADER}: 1`
    if (typeof chunk === 'string') return chunk.slice(0, end) + header + chunk.slice(end)
    return Buffer.concat([chunk.subarray(0, end), Buffer.from(header), chunk.subarray(end)])
  }

  getProtocol = () => 'TLSv1.3'
  getCipher = () => ({ name: 'TLS_AES_128_GCM_SHA256', standardName: 'TLS_AES_128_GCM_SHA256', version: 'TLSv1.3' })
  getPeerCertificate = () => ({})
  getPeerX509Certificate = () => undefined
  getCertificate = () => ({})
  getX509Certificate = () => undefined
  getSession = () => undefined
  getTLSTicket = () => undefined
  getFinished = () => undefined
  getPeerFinished = () => undefined
  getEphemeralKeyInfo = () => ({})
  getSharedSigalgs = () => []
  isSessionReused = () => false
  setSession = () => {}
  setServername = () => {}
  setMaxSendFragment = () => true
  setKeyCert = () => {}
  enableTrace = () => {}
  disableRenegotiation = () => {}
  renegotiate = (_options: object, callback?: (error: Error | null) => void) => {
    if (callback) process.nextTick(callback, null)
    return true
  }
}
