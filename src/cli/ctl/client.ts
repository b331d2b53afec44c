import { joinSentences } from '../../platform/errors/sentences.ts'
import { UserError } from '../user-error.ts'
import type { ControlOperation } from './operations.ts'

const DEFAULT_TIMEOUT_MILLISECONDS = 15 * 60_000

export const EXIT_REFUSED = 1

/** Expectations that are not met: the body is the result, and no error. */
const NOT_VERIFIED = 406
export const EXIT_UNREACHABLE = 3

const JSON_TYPE = 'application/json'
const NO_CONTENT = 204

/** A request that the stand-in refused or that did not arrive. */
export class ControlError extends UserError {
  readonly exitCode: number
  /** The body of the response, for `--json`. */
  readonly body: unknown

  constructor(message: string, exitCode: number, body?: unknown) {
    super(message)
    this.exitCode = exitCode
    this.body = body
  }
}

/** Sends requests to the control plane of a running stand-in. */
export class ControlClient {
  readonly #url: string
  readonly #timeoutMilliseconds: number

  constructor(url: string, { timeoutMilliseconds = DEFAULT_TIMEOUT_MILLISECONDS } = {}) {
    this.#url = url.replace(/\/$/, '')
    this.#timeoutMilliseconds = timeoutMilliseconds
  }

  /** Sends the values as the operation takes them. Returns the body: JSON, text, or undefined if it is empty. */
  async call(operation: ControlOperation, values: Record<string, unknown>, body?: unknown): Promise<unknown> {
    const signal = AbortSignal.timeout(this.#timeoutMilliseconds)
    const response = await this.#fetch(operation, values, { body, signal })
    const text = await this.#textOf(response)
    if (text === '') return undefined
    return contentTypeOf(response) === JSON_TYPE ? this.#parse(text) : text
  }

  /** The events of a stream, until it ends. Calls `opened` when it begins. */
  async *stream(
    operation: ControlOperation,
    values: Record<string, unknown>,
    { signal, opened }: { signal?: AbortSignal; opened?: (() => void) | undefined } = {},
  ) {
    const { body } = await this.#fetch(operation, values, signal && { signal })
    opened?.()
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of this.#chunksOf(body ?? [])) {
      text += decoder.decode(chunk, { stream: true })
      const blocks = text.split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        const { event, data } = readEvent(block)
        if (data !== '') yield { event, data: this.#parse(data) as Record<string, unknown> }
      }
    }
  }

  async #fetch(
    { method, path, fields, takesBody, takesFile, produces }: ControlOperation,
    values: Record<string, unknown>,
    { body, signal }: { body?: unknown; signal?: AbortSignal } = {},
  ): Promise<Response> {
    const of = (place: string) => fields.filter((field) => field.in === place && values[field.name] !== undefined)
    const filled = of('path').reduce(
      (text, { name }) => text.replace(`{${name}}`, encodeURIComponent(String(values[name]))),
      path,
    )
    const query = new URLSearchParams(Object.fromEntries(of('query').map(({ name }) => [name, String(values[name])])))
    const named = Object.fromEntries(of('body').map(({ name }) => [name, values[name]]))
    const isContent = typeof body === 'string' || Buffer.isBuffer(body)
    const payload = takesFile && isContent ? body : JSON.stringify(mergeBody(body, named))
    const type = takesFile ? 'application/yaml' : 'application/json'
    const url = `${this.#url}${filled}${query.size > 0 ? `?${query}` : ''}`
    const response = await fetch(url, {
      method,
      ...(takesBody && { body: payload, headers: { 'content-type': type } }),
      ...(signal && { signal }),
    }).catch((error: unknown) => {
      throw this.#unreachable(error)
    })
    if (!response.ok && response.status !== NOT_VERIFIED) throw await this.#refused(response)
    if (response.status !== NO_CONTENT && !produces.includes(contentTypeOf(response))) {
      await response.body?.cancel()
      throw this.#notSouk(`${response.status} and ${contentTypeOf(response) || 'no content type'}`)
    }
    return response
  }

  #textOf(response: Response): Promise<string> {
    return response.text().catch((error: unknown) => {
      throw this.#unreachable(error)
    })
  }

  async *#chunksOf(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
    try {
      yield* chunks
    } catch (error) {
      throw this.#unreachable(error)
    }
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw this.#notSouk('invalid JSON')
    }
  }

  /** For a stream that ended before what it was opened for. */
  ended(): ControlError {
    return new ControlError(`Souk at ${this.#url} stopped before its work was done.`, EXIT_UNREACHABLE)
  }

  #notSouk(what: string): ControlError {
    return new ControlError(
      `${this.#url} responded with ${what}, which Souk does not. Is it the address of souk dev?`,
      EXIT_UNREACHABLE,
    )
  }

  #unreachable(error: unknown): ControlError {
    const { cause, message } = error as Error & { cause?: { code?: string; message?: string } }
    const reason = cause?.code ?? cause?.message ?? message
    return new ControlError(
      `No Souk responds at ${this.#url} (${reason}). Start it with "souk dev", or set its address with --url or SOUK_URL.`,
      EXIT_UNREACHABLE,
    )
  }

  async #refused(response: Response): Promise<ControlError> {
    const body = parseErrors(await this.#textOf(response))
    if (!body) {
      return new ControlError(
        `${this.#url} responded with ${response.status} and no error of Souk. Is it the address of souk dev?`,
        EXIT_REFUSED,
      )
    }
    const sentences = body.errors.map(({ message, details }) => joinSentences(message, details))
    return new ControlError(sentences.join('\n'), EXIT_REFUSED, body)
  }
}

const mergeBody = (body: unknown, fields: object): unknown =>
  typeof body === 'object' && !Array.isArray(body) ? { ...body, ...fields } : (body ?? fields)

const contentTypeOf = ({ headers }: Response) =>
  (headers.get('content-type') ?? '').replace(/;.*/s, '').trim().toLowerCase()

function parseErrors(text: string): { errors: { code: string; message: string; details?: string }[] } | undefined {
  try {
    const body = JSON.parse(text)
    return Array.isArray(body?.errors) && body.errors.length > 0 ? body : undefined
  } catch {
    return undefined
  }
}

function readEvent(block: string): { event: string; data: string } {
  const linesOf = (field: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trimStart())
      .join('\n')
  return { event: linesOf('event') || 'message', data: linesOf('data') }
}
