export class QueuePortError extends Error {
  constructor(options: ErrorOptions) {
    super('The port of the local queue is not available', options)
    this.name = 'QueuePortError'
  }
}
