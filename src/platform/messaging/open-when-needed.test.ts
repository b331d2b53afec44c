import { expect, test, vi } from 'vitest'
import { openWhenNeeded } from './open-when-needed.ts'

test('what cannot be opened is tried again, and then kept', async () => {
  const adapter = { close: vi.fn() }
  const open = vi.fn(async () => adapter)
  open.mockRejectedValueOnce(new Error('Cannot find module'))
  const needed = openWhenNeeded(open)
  await expect(Promise.all([needed.open(), needed.open()])).rejects.toThrow('Cannot find module')
  expect(await needed.open()).toBe(adapter)
  expect(await needed.open()).toBe(adapter)
  expect(open).toHaveBeenCalledTimes(2)
  needed.close()
  await vi.waitFor(() => expect(adapter.close).toHaveBeenCalledOnce())
})

test('closing what cannot be opened does nothing', async () => {
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const needed = openWhenNeeded(() => Promise.reject(new Error('Cannot find module')))
  const opened = needed.open()
  needed.close()
  await expect(opened).rejects.toThrow('Cannot find module')
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})
