import { expect, test } from 'vitest'
import { WorkerSwitch } from './worker-switch.ts'

/** A worker that records its calls. Its stop ends with `endStop`. */
function openWorker() {
  const calls: string[] = []
  const stopped = Promise.withResolvers<void>()
  const background = {
    wake: () => void calls.push('wake'),
    idle: async () => {},
    stop: () => {
      calls.push('stop')
      return stopped.promise
    },
  }
  return { background, calls, endStop: stopped.resolve }
}

test('a commit while a reset stops the worker does not wake that worker, whose thread would go on beside the next one', async () => {
  const workers = [openWorker(), openWorker()] as const
  const opened = workers.values()
  const worker = new WorkerSwitch()
  await worker.start(async () => opened.next().value?.background ?? expect.fail('A third worker was started'))
  const stop = worker.stop()
  worker.wake()
  workers[0].endStop()
  await stop
  worker.wake()
  expect(workers[0].calls).toEqual(['stop'])
  await worker.restart()
  worker.wake()
  expect(workers[0].calls).toEqual(['stop'])
  expect(workers[1].calls).toEqual(['wake'])
})
