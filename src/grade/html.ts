import { escapeXml } from '../platform/xml.ts'
import type { CheckResult } from './check.ts'
import type { Coverage } from './coverage.ts'
import { failureOf, type Grade, INTERRUPTION, titleOf, verdictOf } from './grade.ts'
import type { Pass } from './pass.ts'

const STYLE = `
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; --dim: #8888; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
code { font-family: ui-monospace, monospace; overflow-wrap: anywhere; } ul { margin: .3rem 0; padding-left: 1.2rem; }
.passed, .succeeded { color: var(--good); } .failed, .incomplete, .refused { color: var(--bad); }
.map { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; }
.area { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; } .area h3 { margin: 0 0 .3rem; font-size: 1rem; }
.area li { list-style: none; overflow-wrap: anywhere; } .area ul { padding: 0; }
`

/** The report as one page that needs nothing else. */
export function renderHtml(grade: Grade): string {
  const { command, isPassed, passes, isInterrupted, checks, coverage } = grade
  const verdict = isPassed ? 'passed' : 'failed'
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>souk grade: ${verdict}</title>
<style>${STYLE}</style>
<h1>souk grade: <span class="${verdict}">${verdict}</span></h1>
<p><code>${escapeXml(command)}</code></p>
<h2>Runs</h2>
<table>
<tr><th scope="col">Run<th scope="col">Result<th scope="col">Requests</tr>
${passes.map((pass) => row(titleOf(pass), result(pass), String(pass.calls.length))).join('\n')}${isInterrupted ? interruption() : ''}
</table>
<h2>Behavior</h2>
<table>
<tr><th scope="col">Check<th scope="col">Result<th scope="col">What was seen</tr>
${checks.map(renderCheck).join('\n')}
</table>
<h2>Map of the interface</h2>
${renderMap(coverage)}
<h2>States that were seen</h2>
${renderStates(coverage)}
</html>
`
}

const row = (title: string, verdict: string, rest: string) =>
  `<tr><td>${escapeXml(title)}<td>${verdict}<td>${rest}</tr>`

const interruption = () => row(INTERRUPTION.title, `<span class="failed">${INTERRUPTION.failure}</span>`, '')

function result(pass: Pass): string {
  const failure = failureOf(pass)
  if (failure !== undefined) return `<span class="failed">${escapeXml(failure)}</span>`
  const verdict = verdictOf(pass)
  return `<span class="${verdict.replace(' ', '-')}">${verdict}</span>`
}

function renderCheck({ title, verdict, summary, violations }: CheckResult): string {
  const list = violations.map(
    ({ pass, requestId, message }) =>
      `<li>${escapeXml(pass)}, <code>${escapeXml(requestId)}</code>: ${escapeXml(message)}</li>`,
  )
  const details = list.length > 0 ? `<ul>${list.join('')}</ul>` : ''
  return row(title, `<span class="${verdict.replace(' ', '-')}">${verdict}</span>`, escapeXml(summary) + details)
}

function renderMap({ operations }: Coverage): string {
  const areas = Map.groupBy(operations, ({ area }) => area)
  const sections = [...areas].map(([area, own]) => {
    const used = own.filter(({ use }) => use === 'succeeded').length
    const items = own.map(
      ({ name, use, calls }) =>
        `<li class="${use.replace(' ', '-')}">${escapeXml(name)} (${use === 'not called' ? use : `${use}, ${calls}`})</li>`,
    )
    return `<section class="area"><h3>${escapeXml(area)}: ${used} of ${own.length}</h3><ul>${items.join('')}</ul></section>`
  })
  return `<div class="map">${sections.join('\n')}</div>`
}

function renderStates({ states }: Coverage): string {
  const entries = Object.entries(states)
  if (entries.length === 0) return '<p>None.</p>'
  return `<ul>${entries.map(([name, values]) => `<li>${escapeXml(name)}: ${values.map(escapeXml).join(', ')}</li>`).join('')}</ul>`
}
