/** The stored clock offset is not usable. */
export class StoredClockError extends Error {
  constructor(offset: string, options?: ErrorOptions) {
    super(`The stored clock offset is ${offset.slice(0, 30)} milliseconds, which is not a valid offset`, options)
    this.name = 'StoredClockError'
  }
}
