import type { Explain, ExplainSent, Missing } from '../../platform/errors/explanation.ts'

const MAX_CAUSES = 3

interface Explained {
  explain?: Explain
  explainSent?: ExplainSent
  missing?: Missing
}

/** An error may be the cause of the one that was thrown: of a batch, or of an operation with one message for all. */
export function findExplained<Name extends keyof Explained>(thrown: unknown, name: Name): Explained[Name] {
  let error = thrown
  for (let depth = 0; depth < MAX_CAUSES && error instanceof Error; depth++) {
    const found = (error as Explained)[name]
    if (found) return found
    error = error.cause
  }
  return undefined
}

/** Whether an error may hold on to the parsed body: a rule explains itself with what it looked at. */
export const mayHoldBody = (thrown: unknown): boolean =>
  [thrown, ...((thrown as { otherErrors?: readonly unknown[] }).otherErrors ?? [])].some(
    (error) => findExplained(error, 'explain') !== undefined,
  )
