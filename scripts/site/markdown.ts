import { existsSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { renderMermaidSVG } from 'beautiful-mermaid'
import { Marked, Renderer, type Tokens } from 'marked'

export interface Section {
  id: string
  title: string
}

export interface Source {
  /** The Markdown file, relative to the root of the repository. */
  file: string
  /** The path in the site of each file that is part of it. */
  paths: ReadonlyMap<string, string>
}

/** Renders a Markdown file. Links to other files become links to their pages. */
export function renderMarkdown(text: string, { file, paths }: Source) {
  const ids = new Map<string, number>()
  const sections: Section[] = []
  let title = ''
  let diagrams = 0

  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens)
        const heading = plainText(html)
        const id = uniqueId(heading)
        if (depth === 1) title = heading
        if (depth === 2) sections.push({ id, title: heading })
        return `<h${depth} id="${id}">${html}<a class="anchor" href="#${id}" aria-label="Link to this section"></a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const html = this.parser.parseInline(tokens)
        const target = resolve(href)
        return target === undefined ? html : `<a href="${escapeHtml(target)}">${html}</a>`
      },
      image({ href, text: description }) {
        return `<img src="${escapeHtml(resolveImage(href))}" alt="${escapeHtml(description)}" loading="lazy">`
      },
      code({ text: code, lang }) {
        if (lang === 'mermaid') return renderDiagram(code, `diagram-${++diagrams}`)
        return `<pre><code>${escapeHtml(code)}</code></pre>\n`
      },
      // A wide table scrolls on its own.
      table(token: Tokens.Table) {
        return `<div class="table">${Renderer.prototype.table.call(this, token)}</div>\n`
      },
    },
  })
  const html = marked.parse(text, { async: false })
  if (!title) throw new Error(`${file} has no title`)
  return { title, html, sections }

  /** As other Markdown renderers name the fragments. */
  function uniqueId(heading: string): string {
    const id = heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-')
    const repeated = ids.get(id) ?? 0
    ids.set(id, repeated + 1)
    return repeated === 0 ? id : `${id}-${repeated}`
  }

  /** Undefined for a file that is not part of the site. */
  function resolve(href: string): string | undefined {
    if (/^(https?:|#)/.test(href)) return href
    const [beforeFragment = '', fragment] = href.split('#')
    const [path = '', query] = beforeFragment.split('?')
    const target = normalize(join(dirname(file), path))
    const page = paths.get(target)
    if (page === undefined && !existsSync(target)) throw new Error(`${file} links to ${href}, which does not exist`)
    if (page === undefined) return undefined
    return `${up()}${page === 'index' ? './' : page}${query === undefined ? '' : `?${query}`}${fragment === undefined ? '' : `#${fragment}`}`
  }

  /** Images are in one folder, in the repository as in the site. */
  function resolveImage(href: string): string {
    const image = normalize(join(dirname(file), href))
    if (!existsSync(image)) throw new Error(`${file} shows ${href}, which does not exist`)
    return up() + relative('docs', image)
  }

  /** From the page to the root of the site. */
  function up(): string {
    return '../'.repeat((paths.get(file) as string).split('/').length - 1)
  }
}

/** Without styles of its own, which the policy of the pages forbids; the style sheet has them. */
function renderDiagram(code: string, name: string): string {
  const svg = renderMermaidSVG(code)
    .replaceAll(/<style>.*?<\/style>/gs, '')
    .replaceAll(/ style="[^"]*"/g, '')
    .replaceAll(/\bid="/g, `id="${name}-`)
    .replaceAll('url(#', `url(#${name}-`)
  return `<div class="diagram">${svg}</div>\n`
}

export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** The text of rendered HTML. */
export const plainText = (html: string) =>
  html
    .replaceAll(/<svg.*?<\/svg>/gs, ' ')
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
