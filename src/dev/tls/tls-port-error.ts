export class TlsPortError extends Error {
  constructor(options: ErrorOptions) {
    super('The port for TLS is not available', options)
    this.name = 'TlsPortError'
  }
}
