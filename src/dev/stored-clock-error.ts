/** The clock cannot be set to where it stood when the data were last used. */
export class StoredClockError extends Error {
  constructor(offset: string, options?: ErrorOptions) {
    super(
      `The clock of these data was moved by ${offset.slice(0, 30)} milliseconds, to a time that cannot be shown`,
      options,
    )
    this.name = 'StoredClockError'
  }
}
