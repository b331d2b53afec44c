import { escapeXml } from '../platform/xml.ts'
import { isGood } from './check.ts'
import { failureOf, type Grade, INTERRUPTION, titleOf, verdictOf } from './grade.ts'

/** The report in the format that CI servers read. */
export function renderJunit({ passes, isInterrupted, checks, command }: Grade): string {
  const cases = [
    ...passes.map((pass) => {
      const failure = failureOf(pass)
      return {
        title: titleOf(pass),
        failure: failure && `${command} ${failure}`,
        details: '',
        isSkipped: verdictOf(pass) === 'not exercised',
      }
    }),
    ...(isInterrupted ? [{ ...INTERRUPTION, details: '', isSkipped: false }] : []),
    ...checks.map(({ title, verdict, summary, violations }) => ({
      title,
      failure: isGood(verdict) ? undefined : summary,
      details: violations.map(({ pass, requestId, message }) => `${pass}: request ${requestId}: ${message}`).join('\n'),
      isSkipped: verdict === 'not exercised',
    })),
  ]
  const failures = cases.filter(({ failure }) => failure !== undefined).length
  const skipped = cases.filter(({ isSkipped }) => isSkipped).length
  const counts = `tests="${cases.length}" failures="${failures}" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="souk grade" ${counts}>`,
    ...cases.map(({ title, failure, details, isSkipped }) => {
      const start = `    <testcase classname="souk.grade" name="${escapeXml(title)}"`
      if (failure !== undefined) {
        return `${start}><failure message="${escapeXml(failure)}">${escapeXml(details)}</failure></testcase>`
      }
      return isSkipped ? `${start}><skipped/></testcase>` : `${start}/>`
    }),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}
