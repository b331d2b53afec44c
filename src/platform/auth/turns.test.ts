import { expect, test } from 'vitest'
import { Turns } from './turns.ts'

test('a caller that is refused because too many wait learns when to try again', async () => {
  const turns = new Turns({ maxRunning: 1, maxWaiting: 0, errorMessage: 'Too many at once.' })
  const end = Promise.withResolvers<void>()
  const running = turns.run(() => end.promise)
  await expect(turns.run(async () => {})).rejects.toMatchObject({ status: 503, retryAfterSeconds: 5 })
  end.resolve()
  await running
})
