import type { FastifyReply } from 'fastify'
import { type App, errorResponses, type Routes, sellerOf } from '../../http/route.ts'
import { META_SCHEMA_PATH, SCHEMAS_PATH } from './documents.ts'
import type { DefinitionOperations } from './operations.ts'
import {
  Definition,
  DefinitionQuery,
  JsonSchema,
  ProductTypeList,
  ProductTypeParams,
  SchemaParams,
  SchemaQuery,
  SearchQuery,
} from './schema.ts'

const PRODUCT_TYPES = '/definitions/2020-09-01/productTypes'
const tags = ['definitions']
const config = { access: { seller: true }, rate: { perSecond: 5, burst: 10 } } as const

export function createDefinitionRoutes(operations: DefinitionOperations): Routes {
  return (app: App) => {
    app.get(
      PRODUCT_TYPES,
      {
        config,
        schema: {
          operationId: 'searchDefinitionsProductTypes',
          summary: 'Search product types',
          tags,
          querystring: SearchQuery,
          response: { 200: ProductTypeList, ...errorResponses },
        },
      },
      async (request) => operations.searchDefinitionsProductTypes(sellerOf(request), request.query),
    )

    app.get(
      `${PRODUCT_TYPES}/:productType`,
      {
        config,
        schema: {
          operationId: 'getDefinitionsProductType',
          summary: 'Get a product type definition',
          tags,
          params: ProductTypeParams,
          querystring: DefinitionQuery,
          response: { 200: Definition, ...errorResponses },
        },
      },
      async (request) =>
        operations.getDefinitionsProductType(sellerOf(request), request.params.productType, request.query),
    )

    // The linked schemas. Clients fetch them without a token; they contain no secrets.
    app.get(
      `${SCHEMAS_PATH}/:productType/:version`,
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getProductTypeSchema',
          summary: 'Get the JSON Schema of a product type',
          tags,
          params: SchemaParams,
          querystring: SchemaQuery,
          response: { 200: JsonSchema, ...errorResponses },
        },
      },
      async (request, reply) => sendText(reply, await operations.getProductTypeSchema(request.params, request.query)),
    )

    app.get(
      META_SCHEMA_PATH,
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getProductTypeMetaSchema',
          summary: 'Get the meta-schema of product type schemas',
          tags,
          response: { 200: JsonSchema, ...errorResponses },
        },
      },
      async (_request, reply) => sendText(reply, operations.getProductTypeMetaSchema()),
    )
  }
}

function sendText(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', 'public, max-age=86400').type('application/json; charset=utf-8').send(text)
}
