import { editDistance } from '../platform/similar-words.ts'

const MOST_SEGMENTS = 12
const LONGEST_SEGMENT = 60
const FARTHEST = 4
const VERSION = /^(v\d+|\d{4}-\d{2}-\d{2})$/i

const COST = { case: 0.5, slash: 0.5, version: 1, missingEnd: 2 }

/**
 * The path that may have been meant by one that does not exist: another version, a typing error, a slash too many, a
 * missing id. Paths are given with `{name}` for a parameter.
 */
export function findNearestPath(path: string, known: readonly string[]): string | undefined {
  const given = segmentsOf(path)
  if (given.length === 0 || given.length > MOST_SEGMENTS) return undefined
  const slashes = path === `/${given.join('/')}` ? 0 : COST.slash
  let nearest: string | undefined
  let least = FARTHEST
  for (const candidate of known) {
    const cost = slashes + costOf(given, segmentsOf(candidate))
    if (cost > least || (cost === least && nearest !== undefined)) continue
    nearest = candidate
    least = cost
  }
  return nearest
}

const segmentsOf = (path: string) => path.split('/').filter(Boolean)

function costOf(given: readonly string[], wanted: readonly string[]): number {
  const missing = wanted.length - given.length
  if (missing < 0 || missing > 1) return Infinity
  let cost = missing * COST.missingEnd
  for (const [index, segment] of given.entries()) {
    cost += costOfSegment(segment, wanted[index] as string)
    if (cost > FARTHEST) return Infinity
  }
  return cost
}

function costOfSegment(given: string, wanted: string): number {
  if (given === wanted || wanted.startsWith('{')) return 0
  if (given.length > LONGEST_SEGMENT) return Infinity
  if (given.toLowerCase() === wanted.toLowerCase()) return COST.case
  if (VERSION.test(given) && VERSION.test(wanted)) return COST.version
  const most = Math.max(1, Math.floor(wanted.length / 3))
  if (Math.abs(given.length - wanted.length) > most) return Infinity
  const distance = editDistance(given, wanted)
  return distance > most ? Infinity : distance
}
