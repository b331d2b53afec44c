import { Socket, type SocketConstructorOpts } from 'node:net'

/** A connection without TLS that its user takes for one with TLS. */
export class UnencryptedSocket extends Socket {
  readonly encrypted = true
  readonly authorizationError = null
  readonly servername: string
  /** HTTP/1.1 is what clients fall back to without ALPN. */
  readonly alpnProtocol = false
  authorized = false
  secureConnecting = true

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
