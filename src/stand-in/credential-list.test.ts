import { expect, test } from 'vitest'
import { publicCredentials } from '../dev/demo/index.ts'
import { Gate } from '../http/gate.ts'
import type { Reader } from '../platform/database/port.ts'
import { createCredentialList } from './credential-list.ts'

test('the list of forks has the last known credentials of a fork during a long import, and then the new ones', async () => {
  const gate = new Gate()
  let operatorKey = 'before'
  const list = createCredentialList({
    credentials: publicCredentials,
    forkCredentials: { list: async () => ({ applications: [], operatorKey }) },
    seed: undefined,
    gate,
    database: { read: (work) => work({} as Reader) },
    clock: { now: () => new Date(0) },
    waitMilliseconds: 1,
  })
  expect(await list()).toMatchObject({ operatorKey: 'before' })
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = gate.runExclusive(() => promise)
  const second = gate.runExclusive(async () => {
    operatorKey = 'after'
  })
  expect(await list()).toMatchObject({ operatorKey: 'before' })
  const open = gate.whenOpen()
  resolve()
  await open
  expect(await list()).toMatchObject({ operatorKey: 'after' })
  await Promise.all([first, second])
})
