/** An operation on one thing, with the turns between which it took effect. */
export interface Operation<Input> {
  step: number
  input: Input
  invokedAt: number
  /** Infinity if the client got no response. */
  returnedAt: number
  /** Whether it certainly took effect. Otherwise it took effect once or never. */
  isCertain: boolean
}

export interface Model<State, Input> {
  initial: State
  /** Returns undefined if the operation cannot have had its result in this state. */
  apply(state: State, input: Input): State | undefined
}

// Far more than a history needs that has few operations at once.
const MAX_STATES = 300_000

/**
 * Searches for a serial order of the operations that explains all results and agrees with the order in which clients
 * saw them. Returns false if there is none, and undefined if the search would take too long.
 */
export function isLinearizable<State, Input>(
  model: Model<State, Input>,
  operations: readonly Operation<Input>[],
): boolean | undefined {
  const visited = new Set<string>()
  const certain = operations.filter(({ isCertain }) => isCertain).length
  const stack: { done: readonly boolean[]; certainLeft: number; state: State }[] = [
    { done: operations.map(() => false), certainLeft: certain, state: model.initial },
  ]
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { done, certainLeft, state } = next
    if (certainLeft === 0) return true
    if (visited.size > MAX_STATES) return undefined
    // Nothing that certainly happened may come after an operation that began after its end.
    const latest = Math.min(
      ...operations.map(({ isCertain, returnedAt }, index) => (isCertain && !done[index] ? returnedAt : Infinity)),
    )
    for (const [index, { input, invokedAt, isCertain }] of operations.entries()) {
      if (done[index] || invokedAt > latest) continue
      const after = model.apply(state, input)
      if (after === undefined) continue
      const nowDone = done.with(index, true)
      const key = `${nowDone.map(Number).join('')} ${JSON.stringify(after)}`
      if (visited.has(key)) continue
      visited.add(key)
      stack.push({ done: nowDone, certainLeft: certainLeft - Number(isCertain), state: after })
    }
  }
  return false
}
