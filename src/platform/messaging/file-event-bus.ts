import { appendFile, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../make-folder.ts'
import { parseStoredObject } from '../stored-json.ts'
import type { FailedMessage, Message, Target } from './port.ts'

type EventBridgeTarget = Extract<Target, { kind: 'eventBridge' }>

const MAX_FILE_BYTES = 16 * 1024 * 1024
const TAIL_BYTES = 1024 * 1024

/** An event bus in a file, with one event per line as EventBridge delivers it. */
export class FileEventBus {
  readonly #path: string

  constructor(path: string) {
    this.#path = path
  }

  async send({ accountId, region }: EventBridgeTarget, messages: readonly Message[]): Promise<FailedMessage[]> {
    makeFolder(dirname(this.#path))
    if ((await sizeOf(this.#path)) > MAX_FILE_BYTES) await rename(this.#path, `${this.#path}.old`)
    const failed: FailedMessage[] = []
    const lines = messages.flatMap(({ id, type, source, time, body }) => {
      const detail = parseStoredObject(body)
      if (!detail) {
        failed.push({ id, reason: 'MalformedDetail: Detail is malformed.', isPermanent: true })
        return []
      }
      return JSON.stringify({
        version: '0',
        id,
        'detail-type': type,
        source: `aws.partner/${source}`,
        account: accountId,
        time: time.toISOString(),
        region,
        resources: [],
        detail,
      })
    })
    await appendFile(this.#path, lines.map((line) => `${line}\n`).join(''))
    return failed
  }

  close(): void {}
}

/** Reads the last events, newest first. */
export async function readEventBus(path: string, limit: number): Promise<object[]> {
  const size = await sizeOf(path)
  if (size === 0) return []
  const from = Math.max(0, size - TAIL_BYTES)
  const file = await open(path)
  const { buffer, bytesRead } = await file
    .read({ buffer: Buffer.alloc(size - from), position: from })
    .finally(() => file.close())
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n').slice(0, -1)
  // The first line may be incomplete.
  if (from > 0) lines.shift()
  return lines
    .slice(-limit)
    .reverse()
    .map((line) => JSON.parse(line))
}

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0,
  )
