import type { FastifyRequest } from 'fastify'

/** Marks the requests of the console. A page of another site cannot send it without asking first, and is refused then. */
export const CONSOLE_HEADER = 'x-souk-console'
/** The seller for whom a developer uses the console. */
export const SELLER_HEADER = 'x-souk-seller'

export const isFromConsole = ({ headers }: FastifyRequest): boolean => headers[CONSOLE_HEADER] !== undefined

/** The value of a header that is sent once and is not empty. */
export function headerOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
