// As deep as errors are nested here, and more.
const MAX_CAUSES = 10

/**
 * Until it is read, the stack of an error is the functions on it with what they work on: the request, its connection and its
 * body. No one reads that of a refused request, and making its text takes longer than to drop it.
 */
export function releaseStacks(thrown: unknown): void {
  const { status = 500 } = (thrown ?? {}) as { status?: number }
  let error = thrown
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    if (status < 500) dropStacks(error)
    else void error.stack
    error = error.cause
  }
}

function dropStacks(error: Error & { otherErrors?: readonly Error[] }): void {
  error.stack = ''
  for (const other of error.otherErrors ?? []) other.stack = ''
}
