import type { ExpectationResult, Verification } from './public.ts'

/** An expectation was not met. */
export class VerificationError extends Error {
  readonly results: readonly ExpectationResult[]

  constructor({ results }: Verification) {
    const failed = results.filter(({ passed }) => !passed)
    super([`${failed.length} of ${results.length} expectations failed.`, ...failed.map(describe)].join('\n'))
    this.name = 'VerificationError'
    this.results = results
  }
}

function describe({ name, message, requests, closest }: ExpectationResult): string {
  return [
    `- ${name === undefined ? '' : `${name}: `}${message}`,
    ...requests.map((request) => `    saw ${describeRequest(request)} at ${request.time}`),
    ...closest.map(({ request, differences }) => `    closest: ${describeRequest(request)}: ${differences.join('; ')}`),
  ].join('\n')
}

const describeRequest = ({ method, path, status }: ExpectationResult['requests'][number]) =>
  `${method} ${path} (${status ?? 'no response'})`
