export type Verdict = 'passed' | 'failed' | 'not exercised'

export interface GradeCase {
  title: string
  verdict: Verdict
  /** Why it failed. */
  summary: string
  /** The requests that violate the check, one a line. */
  details: string
}

/** Reads what `souk grade --junit` writes. Throws if it is something else. */
export function readJunit(text: string): GradeCase[] {
  const document = new DOMParser().parseFromString(text, 'application/xml')
  if (document.querySelector('parsererror')) throw new Error('The file is not XML. Choose the file of --junit.')
  const cases = [...document.querySelectorAll('testcase')]
  if (cases.length === 0) throw new Error('The file has no test cases. Choose the file of --junit.')
  return cases.map((element) => {
    const failure = element.querySelector('failure, error')
    const isSkipped = element.querySelector('skipped') !== null
    return {
      title: element.getAttribute('name') ?? '',
      verdict: failure ? 'failed' : isSkipped ? 'not exercised' : 'passed',
      summary: failure?.getAttribute('message') ?? '',
      details: failure?.textContent ?? '',
    }
  })
}
