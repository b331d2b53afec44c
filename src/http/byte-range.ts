import type { ByteRange } from '../platform/documents/port.ts'

/**
 * Reads the header Range for something of that many bytes: undefined stands for the whole. RFC 9110, section 14.2: what
 * cannot be parsed is ignored. So are multiple ranges, which a server need not support.
 */
export function parseRange(header: string, bytes: number): ByteRange | 'outside' | undefined {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? []
  if (first === '' && last === '') return undefined
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  const range =
    first === ''
      ? { first: Math.max(0, bytes - Number(last)), last: bytes - 1 }
      : { first: Number(first), last: last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1) }
  return range.first < bytes ? range : 'outside'
}
