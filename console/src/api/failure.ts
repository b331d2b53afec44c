/** A response that is not a success, in the words of the service. */
export class Failure extends Error {
  readonly status: number
  readonly code: string
  readonly details: string

  constructor(status: number, { code, message, details }: Problem) {
    super(message)
    this.name = 'Failure'
    this.status = status
    this.code = code
    this.details = details
  }
}

interface Problem {
  code: string
  message: string
  details: string
}

export async function readFailure(response: Response): Promise<Failure> {
  return new Failure(response.status, findProblem(await response.text(), response))
}

/** The one sentence for people: what went wrong, and the reason if there is one. */
export function describe(error: unknown): string {
  if (error instanceof Failure) return error.details ? `${endSentence(error.message)} ${error.details}` : error.message
  if (error instanceof TypeError) return 'Souk cannot be reached. Is it still running?'
  return error instanceof Error ? error.message : String(error)
}

/** Messages in the words of the live service often lack the period. */
const endSentence = (text: string) => (/[.!?:]$/.test(text) ? text : `${text}.`)

export const isNotFound = (error: unknown): boolean => error instanceof Failure && error.status === 404

export const isSignedOut = (error: unknown): boolean => error instanceof Failure && error.status === 401
/** What was loaded before is not there any more. */
export const isGone = (error: unknown): boolean => error instanceof Failure && error.status === 404

function findProblem(text: string, response: Response): Problem {
  const reason = response.headers.get('x-souk-reason')
  try {
    const { errors, error, error_description } = JSON.parse(text)
    const [first] = errors ?? [{ code: error, message: error_description }]
    return { code: first.code, message: first.message, details: first.details || reason || '' }
  } catch {
    return { code: 'Unknown', message: `The service returned status ${response.status}.`, details: reason ?? '' }
  }
}
