/** How many microseconds of CPU time of this process the work takes. */
export function cpuMicrosecondsOf(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
