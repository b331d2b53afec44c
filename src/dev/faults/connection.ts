import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { handOverBody } from '../../http/sent-headers.ts'

/** Closes the connection where the response would begin. */
export function dropResponse(request: FastifyRequest, reply: FastifyReply): void {
  const { raw } = reply
  raw.writeHead = () => {
    closeNow(request)
    return raw
  }
}

export function closeNow({ raw }: FastifyRequest): void {
  raw.socket.destroy()
}

type Write = (chunk: unknown, ...rest: unknown[]) => boolean
type End = (chunk?: unknown, ...rest: unknown[]) => ServerResponse

/**
 * Sends the head of the response and at most `bytes` of its body, then closes the connection. Without a number, half of
 * the body is sent.
 */
export function truncateResponse(request: FastifyRequest, reply: FastifyReply, bytes: number | undefined): void {
  const { raw } = reply
  const write = raw.write.bind(raw) as Write
  let sent = 0
  /** Returns whether the limit was reached. */
  const sendPart = (chunk: unknown, isLast: boolean): boolean => {
    const content = typeof chunk === 'string' ? Buffer.from(chunk) : (chunk as Buffer | undefined)
    const total = Number(reply.getHeader('content-length') ?? content?.length ?? 0)
    const limit = Math.min(bytes ?? Math.floor(total / 2), Math.max(0, total - 1))
    const part = content?.subarray(0, Math.max(0, limit - sent))
    if (part && part.length > 0) write(part)
    else raw.flushHeaders()
    sent += part?.length ?? 0
    const isOver = isLast || sent >= limit
    // What was written must arrive before the connection ends.
    if (isOver) request.raw.socket.destroySoon?.()
    return isOver
  }
  let isOver = false
  const overridden: { write: Write; end: End } = {
    write: (chunk) => {
      if (!isOver) isOver = sendPart(chunk, false)
      return !isOver
    },
    end: (chunk) => {
      handOverBody(raw, chunk)
      if (!isOver) isOver = sendPart(chunk, true)
      return raw
    },
  }
  Object.assign(raw, overridden)
}
