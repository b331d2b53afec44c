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
          summary: 'The product types that there are, all of them or by words',
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
          summary: 'What a product type asks of a listing, as a link to its JSON Schema',
          tags,
          params: ProductTypeParams,
          querystring: DefinitionQuery,
          response: { 200: Definition, ...errorResponses },
        },
      },
      async (request) =>
        operations.getDefinitionsProductType(sellerOf(request), request.params.productType, request.query),
    )

    // What the links lead to. Clients fetch them without a token, and there is no secret in them.
    app.get(
      `${SCHEMAS_PATH}/:productType/:version`,
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getProductTypeSchema',
          summary: 'The JSON Schema that getDefinitionsProductType links to',
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
          summary: 'The meta-schema of the schemas of product types',
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
