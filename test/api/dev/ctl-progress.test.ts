import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { runCtl } from '../../../src/cli/ctl/program.ts'
import { runCtlWords } from '../../support/ctl.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const NOTHING = 'souk: No long work is under way.'
const MONTHS_MILLISECONDS = 60 * 24 * 60 * 60 * 1000

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})
beforeEach(() => souk.reset())

const run = (words: string, options?: Parameters<typeof runCtlWords>[2]) => runCtlWords(souk.url, words, options)

describe('souk ctl', () => {
  test('prints the progress of work until none is due', async () => {
    expect(await run('progress --until idle')).toEqual({ code: 0, out: '', err: NOTHING })
    expect(await run('progress --until idle --json')).toEqual({ code: 0, out: '{}', err: '' })
    await souk.life.start({ ordersPerDay: 0, competitors: 0 })
    souk.clock.advance(MONTHS_MILLISECONDS)
    expect(await run('progress --until idle')).toEqual({
      code: 0,
      out: expect.stringMatching(/^life {2}\[[#.]{24}\] \d+ % /),
      err: '',
    })
  })

  test('says that no work is under way while it waits for some', async () => {
    const idle = await startTestSouk()
    const err: string[] = []
    const output = { out: () => {}, err: (text: string) => err.push(text), isTerminal: false }
    const ended = runCtl(['progress', '--url', idle.url], { env: {}, output })
    await expect.poll(() => err).toEqual([NOTHING])
    await idle.stop()
    expect(await ended).toBe(3)
  })

  test.each(['wait', 'progress --until idle'])('%s has a bar on a terminal, in one line', async (words) => {
    await souk.life.start({ ordersPerDay: 0, competitors: 0 })
    souk.clock.advance(MONTHS_MILLISECONDS)
    const { code, out, err } = await run(words, { isTerminal: true, columns: 40 })
    expect({ code, out }).toEqual({ code: 0, out: '' })
    const [before, ...shown] = err.split('\r\u001b[K').map((text) => text.replace(/\n$/, ''))
    expect(before).toBe('')
    expect(shown[0]).toMatch(/^life {2}\[[#.]{24}\] \d+ %/)
    expect(shown.filter((text) => text.includes('\n') || text.length >= 40)).toEqual([])
    expect(shown.at(-1)).toBe('')
  })
})
