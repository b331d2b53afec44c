import { openApiDocument } from '../../src/cli/openapi-document.ts'

export interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
  security?: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean }[]
  responses?: Record<string, unknown>
}

export interface OpenApiDocument {
  openapi: string
  info: { title?: string; version?: string }
  paths: Record<string, Record<string, Operation>>
}

export async function readOpenApiDocument(of: 'api' | 'controlPlane' = 'api'): Promise<OpenApiDocument> {
  return JSON.parse(await openApiDocument(of))
}

/** The paths of both documents. */
export async function readAllPaths(): Promise<OpenApiDocument['paths']> {
  return { ...(await readOpenApiDocument()).paths, ...(await readOpenApiDocument('controlPlane')).paths }
}
