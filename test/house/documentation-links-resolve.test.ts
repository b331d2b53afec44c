import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, test } from 'vitest'

const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...docs.map((name) => join('docs', name))]
const textOf = (page: string) => readFileSync(page, 'utf8')

test('every relative link of the documentation resolves to a file, and its fragment to a heading', () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\(((?!https?:)[^)\s]+)\)/g)].map(([, link]) => ({ page, link: link as string })),
  )
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(({ page, link }) => !resolves(page, link))).toEqual([])
})

test('every path of src, test and examples that the documentation names exists', () => {
  const paths = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`((?:src|test|examples)\/[\w./-]+)`/g)].map(([, path]) => ({
      page,
      path: path as string,
    })),
  )
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter(({ path }) => !existsSync(path))).toEqual([])
})

test.each(['missing.md', 'errors.md#no-such-heading', '#no-such-heading'])('%s does not resolve', (link) => {
  expect(resolves('docs/errors.md', link)).toBe(false)
})

function resolves(page: string, link: string): boolean {
  const [path = '', fragment] = link.split('#')
  const target = path === '' ? page : normalize(join(dirname(page), path))
  if (!existsSync(target)) return false
  return fragment === undefined || headingsOf(target).includes(fragment)
}

/** Returns the fragments that Markdown renderers give to headings. */
function headingsOf(page: string): string[] {
  return [...textOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  )
}
