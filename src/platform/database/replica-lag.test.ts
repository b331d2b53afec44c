import { expect, test } from 'vitest'
import { parsePosition, ReplicaLag } from './replica-lag.ts'

test('positions are ordered as PostgreSQL orders them', () => {
  const texts = ['0/0', '0/9', '0/A', '0/FFFFFFFF', '1/0', '16/B374D848', '100/0']
  const positions = texts.map(parsePosition)
  expect(positions.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(positions)
})

test('the lag is the age of the oldest position that the replica has not reached', () => {
  const lag = new ReplicaLag()
  lag.primaryIsAt(10n, 1_000)
  lag.replicaIsAt(10n)
  expect(lag.millisecondsAt(9_000)).toBe(0)
  lag.primaryIsAt(20n, 2_000)
  lag.primaryIsAt(30n, 3_000)
  expect(lag.millisecondsAt(5_000)).toBe(3_000)
  lag.replicaIsAt(29n)
  expect(lag.millisecondsAt(5_000)).toBe(2_000)
  lag.replicaIsAt(30n)
  expect(lag.millisecondsAt(5_000)).toBe(0)
})

test('an idle primary has no lag, however long its replica is silent', () => {
  const lag = new ReplicaLag()
  lag.replicaIsAt(10n)
  for (let second = 1; second < 5_000; second++) lag.primaryIsAt(10n, second * 1_000)
  expect(lag.millisecondsAt(6_000_000)).toBe(0)
})

test('the lag of a long outage counts from its beginning', () => {
  const lag = new ReplicaLag()
  for (let second = 1; second <= 5_000; second++) lag.primaryIsAt(BigInt(second), second * 1_000)
  expect(lag.millisecondsAt(5_001_000)).toBe(5_000_000)
})
