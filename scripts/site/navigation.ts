import type { Page } from './pages.ts'

export interface NavigationGroup {
  title: string
  links: { title: string; path: string }[]
}

/** The groups of the side bar: the headings of the start page, and the first link of each item under them. */
export function readNavigation(pages: readonly Page[]): NavigationGroup[] {
  const start = pages.find(({ path }) => path === 'index') as Page
  const [, ...parts] = start.html.split(/(?=<h2 id=)/)
  return parts.map((part) => ({
    title: /<h2 id="[^"]*">(.*?)<a /.exec(part)?.[1] as string,
    links: [...part.matchAll(/<li>(?:<p>)?<a href="([^"#]+)">(.*?)<\/a>/g)].map(([, path, title]) => ({
      title: title as string,
      path: path as string,
    })),
  }))
}
