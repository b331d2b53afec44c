import { expect, test } from 'vitest'
import { createProgressView, renderProgress } from './progress-view.ts'
import { renderText } from './render.ts'

test('an object is printed as lines, and a list of objects as a table', () => {
  expect(renderText({ now: '2026-01-01', frozen: false, demo: { a: 1 } })).toBe(
    'now     2026-01-01\nfrozen  false\ndemo    {"a":1}',
  )
  expect(renderText({ forks: [{ id: '1', url: 'http://a' }, { id: '20' }] })).toBe('id  url\n1   http://a\n20')
  expect(renderText({ requests: [{ id: '1', status: 200, path: '/a' }], next: 'c' }, ['id', 'path'])).toBe(
    'id  path\n1   /a\n\nnext  c',
  )
  expect(renderText({ snapshots: [] })).toBe('(none)')
  expect(renderText(['a', 'b'])).toBe('a\nb')
  expect(renderText(undefined)).toBe('')
  expect(renderText('text\n')).toBe('text')
})

test('progress has a bar if the total is known', () => {
  expect(renderProgress({ task: 'life', done: 1, total: 4, message: 'June' })).toBe(
    'life  [######..................] 25 %  June',
  )
  expect(renderProgress({ task: 'import', done: 7 })).toBe('import  7')
})

test('progress overwrites its line on a terminal, and elsewhere prints one line a second at most', () => {
  const show = (isTerminal: boolean) => {
    const lines: string[] = []
    const view = createProgressView({ err: (text) => lines.push(text), isTerminal })
    for (const done of [1, 2]) view.show('progress', { task: 'life', done })
    view.show('end', { task: 'life', done: 2 })
    view.end()
    return lines
  }
  expect(show(true)).toEqual(['\r\u001b[Klife  1', '\r\u001b[Klife  2', '\r\u001b[K'])
  // The last one, so that the end is seen.
  expect(show(false)).toEqual(['life  1', 'life  2'])
})

test('progress is cut to the columns of a terminal, where a line that wraps could not be overwritten', () => {
  const lines: string[] = []
  const view = createProgressView({ err: (text) => lines.push(text), isTerminal: true, columns: 20 })
  view.show('progress', { task: 'feed 123456789', done: 1, total: 2, message: '1 message is applied' })
  expect(lines).toEqual(['\r\u001b[Kfeed 123456789  [##'])
})

test('each task has a line a second where there is no terminal', () => {
  const lines: string[] = []
  const view = createProgressView({ err: (text) => lines.push(text), isTerminal: false })
  for (const done of [1, 2]) for (const task of ['life', 'feed 1']) view.show('progress', { task, done })
  expect(lines).toEqual(['life  1', 'feed 1  1'])
})
