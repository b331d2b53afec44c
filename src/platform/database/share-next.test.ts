import { expect, test } from 'vitest'
import { shareNext } from './share-next.ts'

test('callers share the call that begins after they asked, and no earlier one', async () => {
  const calls: ((value: string) => void)[] = []
  const ask = shareNext(() => new Promise<string>((resolve) => calls.push(resolve)))
  const first = [ask(), ask()]
  await Promise.resolve()
  expect(calls).toHaveLength(1)
  const second = [ask(), ask()]
  await Promise.resolve()
  expect(calls).toHaveLength(1)
  calls[0]?.('first')
  expect(await Promise.all(first)).toEqual(['first', 'first'])
  await Promise.resolve()
  calls[1]?.('second')
  expect(await Promise.all(second)).toEqual(['second', 'second'])
  expect(calls).toHaveLength(2)
})

test('a failed call fails its own callers only', async () => {
  let calls = 0
  const ask = shareNext(async () => {
    if (++calls === 1) throw new Error('no server')
    return calls
  })
  await expect(ask()).rejects.toThrow('no server')
  expect(await ask()).toBe(2)
})
