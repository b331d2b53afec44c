import type { SearchSection } from './assets/find-sections.ts'
import { plainText } from './markdown.ts'
import type { Page } from './pages.ts'

/** The parts of a page that search finds: one for each heading. */
export function splitSections({ path, title, html }: Page): SearchSection[] {
  return html.split(/(?=<h[1-4] id=)/).flatMap((part) => {
    const [, id, heading = ''] = /^<h[1-4] id="([^"]*)">(.*?)<\/h/s.exec(part) ?? []
    if (id === undefined) return []
    const body = plainText(part.slice(part.indexOf('</h')).replaceAll(/<\/(td|th|li|p|pre)>/g, ' ')).replaceAll(
      /\s+/g,
      ' ',
    )
    return [{ id: `${path}#${id}`, page: title, heading: plainText(heading), text: body.trim() }]
  })
}
