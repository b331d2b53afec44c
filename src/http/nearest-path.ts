import { editDistance } from '../platform/similar-words.ts'

const MAX_SEGMENTS = 12
const MAX_SEGMENT_LENGTH = 60
const MAX_COST = 4
const VERSION = /^(v\d+|\d{4}-\d{2}-\d{2})$/i

const COST = { case: 0.5, slash: 0.5, version: 1, missingEnd: 2, part: 3 }
const MIN_PART_LENGTH = 4

/**
 * The path that may have been meant by one that does not exist: another version, a typing error, a part of a name, a
 * slash too many, a missing id. The known paths have `{name}` for a parameter, and come with their segments: splitting
 * them all again would cost more than the comparison.
 */
export function findNearestPath(path: string, known: ReadonlyMap<string, readonly string[]>): string | undefined {
  const given = segmentsOf(path)
  if (given.length === 0 || given.length > MAX_SEGMENTS) return undefined
  const slashes = path === `/${given.join('/')}` ? 0 : COST.slash
  // Many paths share a prefix, so each pair of segments is compared once: any client can request unknown paths.
  const compare = given.map((segment) => memoizeCost(segment))
  let nearest: string | undefined
  let least = MAX_COST
  for (const [candidate, segments] of known) {
    const cost = slashes + costOf(compare, segments)
    if (cost > least || (cost === least && nearest !== undefined)) continue
    nearest = candidate
    least = cost
  }
  return nearest
}

export const segmentsOf = (path: string) => path.split('/').filter(Boolean)

type Compare = (wanted: string) => number

function memoizeCost(given: string): Compare {
  const costs = new Map<string, number>()
  return (wanted) => {
    const cost = costs.get(wanted) ?? costOfSegment(given, wanted)
    costs.set(wanted, cost)
    return cost
  }
}

function costOf(compare: readonly Compare[], wanted: readonly string[]): number {
  const missing = wanted.length - compare.length
  if (missing < 0 || missing > 1) return Infinity
  let cost = missing * COST.missingEnd
  for (const [index, costOfThis] of compare.entries()) {
    cost += costOfThis(wanted[index] as string)
    if (cost > MAX_COST) return Infinity
  }
  return cost
}

function costOfSegment(given: string, wanted: string): number {
  if (given === wanted || wanted.startsWith('{')) return 0
  if (given.length > MAX_SEGMENT_LENGTH) return Infinity
  if (given.toLowerCase() === wanted.toLowerCase()) return COST.case
  if (VERSION.test(given) && VERSION.test(wanted)) return COST.version
  const most = Math.max(1, Math.floor(wanted.length / 3))
  const distance = Math.abs(given.length - wanted.length) > most ? Infinity : editDistance(given, wanted)
  if (distance <= most) return distance
  return isPart(given, wanted) ? COST.part : Infinity
}

/** `items` of `orderItems`. */
const isPart = (given: string, wanted: string) =>
  given.length >= MIN_PART_LENGTH && wanted.toLowerCase().includes(given.toLowerCase())
