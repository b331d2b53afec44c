import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { FaultAction } from './public.ts'
import { applyFault, type HitRequest } from './request-actions.ts'

const hitBy = (action: FaultAction, content: Readable) => {
  const headers: Record<string, string> = {}
  const reply = {
    getHeaders: () => ({ ...headers }),
    removeHeader: (name: string) => delete headers[name],
    headers: (added: Record<string, string>) => Object.assign(headers, added),
  }
  const proceed = async () => {
    headers.etag = '"1"'
    return content
  }
  const hit = { request: { headers: {} }, reply, envelope: 'storage', rule: { id: '1', action }, proceed }
  return { hit: hit as unknown as HitRequest, headers }
}
/** A document that its reader never gets to the end of. */
const endless = () => new Readable({ read() {} })

test('a plain document is closed when its client leaves', async () => {
  const content = endless()
  const plain = (await applyFault(hitBy({ kind: 'notCompressed' }, content).hit)) as Readable
  plain.destroy()
  await expect.poll(() => content.destroyed).toBe(true)
})

test.each([
  ['compressed', gzipSync('text')],
  ['not compressed', Buffer.from('text')],
  ['empty', Buffer.alloc(0)],
])('a document that is %s becomes plain', async (how, bytes) => {
  const { hit } = hitBy({ kind: 'notCompressed' }, Readable.from([bytes], { objectMode: false }))
  const chunks = await ((await applyFault(hit)) as Readable).toArray()
  expect(Buffer.concat(chunks).toString()).toBe(how === 'empty' ? '' : 'text')
})

test('a document whose response is replaced by an error is closed, and leaves no headers', async () => {
  const content = endless()
  const { hit, headers } = hitBy({ kind: 'status', status: 503, when: 'after' }, content)
  await expect(applyFault(hit)).rejects.toMatchObject({ code: 'SlowDown' })
  expect(content.destroyed).toBe(true)
  expect(headers).toEqual({})
})
