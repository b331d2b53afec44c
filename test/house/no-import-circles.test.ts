import { expect, test } from 'vitest'
import { importsOf, sourceFiles } from './source-files.ts'

type Graph = Map<string, string[]>

test('src has no import cycles, type imports included', () => {
  const graph: Graph = new Map(sourceFiles().map((file) => [file.path, importsOf(file).map(({ to }) => to)]))
  expect(findCircles(graph)).toEqual([])
})

test('a cycle of three files is found, and a shared import is not a cycle', () => {
  const graph: Graph = new Map([
    ['a.ts', ['b.ts', 'shared.ts']],
    ['b.ts', ['c.ts', 'shared.ts']],
    ['c.ts', ['a.ts']],
    ['entrance.ts', ['a.ts', 'shared.ts']],
    ['shared.ts', []],
  ])
  expect(findCircles(graph)).toEqual([['a.ts', 'b.ts', 'c.ts']])
})

/** The files of each circle, sorted: Tarjan's strongly connected components of more than one file. */
function findCircles(graph: Graph): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    lowest.set(file, order.get(file) as number)
    open.push(file)
    for (const next of graph.get(file) ?? []) {
      if (!graph.has(next)) continue
      const reached = order.has(next) ? (open.includes(next) ? order.get(next) : undefined) : visit(next)
      if (reached !== undefined) lowest.set(file, Math.min(lowest.get(file) as number, reached))
    }
    if (lowest.get(file) === order.get(file)) {
      const circle = open.splice(open.indexOf(file))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return lowest.get(file) as number
  }
  for (const file of graph.keys()) if (!order.has(file)) visit(file)
  return circles.sort()
}
