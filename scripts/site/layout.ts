import { escapeHtml } from './markdown.ts'
import type { NavigationGroup } from './navigation.ts'
import type { Page } from './pages.ts'

const MIN_SECTIONS = 3

/** A whole HTML page. All its links are relative, so the site works under any path. */
export function renderPage({ path, title, html, sections }: Page, navigation: readonly NavigationGroup[]): string {
  const root = '../'.repeat(path.split('/').length - 1) || './'
  const link = (to: string, text: string) =>
    `<a href="${root}${to}"${to === path ? ' aria-current="page"' : ''}>${text}</a>`
  const groups = navigation.map(
    (group) =>
      `<h2>${group.title}</h2>\n<ul>\n${group.links.map((one) => `<li>${link(one.path, one.title)}</li>`).join('\n')}\n</ul>`,
  )
  const contents = sections.map(({ id, title: text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}${path === 'index' ? '' : ' · Souk'}</title>
<link rel="icon" href="${root}icon.svg">
<link rel="stylesheet" href="${root}site.css">
<script type="module" src="${root}search.js"></script>
</head>
<body data-root="${root}">
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="${root}">Souk</a>
<nav aria-label="Reference">${link('operations', 'Operations')} ${link('try', 'Try it')}</nav>
<div role="search">
<input id="search" type="search" placeholder="Search (/)" aria-label="Search the documentation" autocomplete="off">
<ul id="results" hidden></ul>
</div>
</header>
<div class="columns">
<nav class="pages" aria-label="Pages">
${groups.join('\n')}
</nav>
<main id="content">
${html}</main>
${contents.length < MIN_SECTIONS ? '' : `<nav class="contents" aria-label="On this page">\n<h2>On this page</h2>\n<ul>\n${contents.join('\n')}\n</ul>\n</nav>\n`}</div>
</body>
</html>
`
}
