import { beforeAll, describe, expect, test } from 'vitest'
import { startStandIn } from '../../src/stand-in/stand-in.ts'
import { type Operation, readAllPaths } from './openapi-document.ts'

describe('every operation', () => {
  let operations: { name: string; path: string; operation: Operation }[]
  beforeAll(async () => {
    operations = Object.entries(await readAllPaths()).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${path}`, path, operation })),
    )
    expect(operations.filter(({ path }) => !path.startsWith('/_souk/')).length).toBeGreaterThan(20)
    expect(operations.filter(({ path }) => path.startsWith('/_souk/')).length).toBeGreaterThan(15)
  })

  const lacking = (hasFact: (operation: Operation, path: string) => boolean) =>
    operations.filter(({ operation, path }) => !hasFact(operation, path)).map(({ name }) => name)

  test('has a unique operation id', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(lacking(({ operationId }) => ids.filter((id) => id === operationId).length === 1)).toEqual([])
    expect(lacking(({ operationId }) => Boolean(operationId))).toEqual([])
  })

  test('has a summary', () => {
    expect(lacking(({ summary }) => Boolean(summary))).toEqual([])
  })

  test('has a tag for the documentation', () => {
    expect(lacking(({ tags }) => tags?.length === 1)).toEqual([])
  })

  test('declares its credentials, if any', () => {
    expect(lacking(({ security }) => Array.isArray(security))).toEqual([])
    expect(operations.some(({ operation }) => operation.security?.length === 1)).toBe(true)
  })

  test('documents 4XX responses if it requires credentials or a connection of this machine', () => {
    const mayRefuse = ({ security = [] }: Operation, path: string) => security.length > 0 || path.startsWith('/_souk/')
    expect(
      lacking(
        (operation, path) => !mayRefuse(operation, path) || Object.keys(operation.responses ?? {}).includes('4XX'),
      ),
    ).toEqual([])
  })

  test('documents its success response', () => {
    expect(lacking(({ responses = {} }) => Object.keys(responses).some((status) => status.startsWith('2')))).toEqual([])
  })

  test('declares the parameters of its path, and no others', () => {
    const inPath = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
    const declared = ({ parameters = [] }: Operation) =>
      parameters
        .filter((parameter) => parameter.in === 'path' && parameter.required)
        .map(({ name }) => name)
        .sort()
    expect(lacking((operation, path) => declared(operation).join() === inPath(path).join())).toEqual([])
  })
})

test('a route without declared access prevents the service from starting', async () => {
  const start = startStandIn({ extraRoutes: [(app) => app.get('/open', async () => ({}))] })
  await expect(start).rejects.toThrow('GET /open does not declare who may call it')
})
