/** Counts the turns of the event loop in which other work of the process could go on until the promise is settled. */
export async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isOver = false
  const count = () => {
    turns++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  try {
    await work
  } finally {
    isOver = true
  }
  return turns
}
