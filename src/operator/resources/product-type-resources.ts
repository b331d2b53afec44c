import { Type } from 'typebox'
import type { Routes } from '../../http/route.ts'
import { ProductTypeDefinition } from '../../marketplace/product-types/index.ts'
import { strict } from '../../marketplace/schema.ts'
import type { ProductTypeOperations, ProductTypeView } from './product-type-operations.ts'
import { addResourceRoutes } from './resource-routes.ts'

const ProductTypeViewSchema = Type.Object(
  {
    ...ProductTypeDefinition.properties,
    version: Type.Optional(Type.String({ description: 'Derived from the content; ignored on write' })),
  },
  strict,
)

export function createProductTypeResourceRoutes(operations: ProductTypeOperations): Routes {
  return (app) =>
    addResourceRoutes<ProductTypeView, ProductTypeView>(app, {
      plural: 'productTypes',
      singular: 'ProductType',
      label: 'product types',
      schema: ProductTypeViewSchema,
      viewSchema: ProductTypeViewSchema,
      key: ['name'],
      upsert: operations.upsertProductTypes,
      find: operations.findProductType,
      list: operations.listProductTypes,
    })
}
