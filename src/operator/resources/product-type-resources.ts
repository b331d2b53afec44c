import { Type } from 'typebox'
import type { Routes } from '../../http/route.ts'
import { ProductTypeDefinition } from '../../marketplace/product-types/index.ts'
import { strict } from '../../marketplace/schema.ts'
import type { ProductTypeOperations, ShownProductType } from './product-type-operations.ts'
import { addFactRoutes } from './resource-routes.ts'

const ShownProductTypeSchema = Type.Object(
  {
    ...ProductTypeDefinition.properties,
    version: Type.Optional(Type.String({ description: 'Follows from the content; passed by when it is written' })),
  },
  strict,
)

/** What sellers have to say of their products. */
export function createProductTypeFactRoutes(operations: ProductTypeOperations): Routes {
  return (app) =>
    addFactRoutes<ShownProductType, ShownProductType>(app, {
      plural: 'productTypes',
      singular: 'ProductType',
      spoken: 'product types',
      schema: ShownProductTypeSchema,
      shownSchema: ShownProductTypeSchema,
      key: ['name'],
      upsert: operations.upsertProductTypes,
      find: operations.findProductType,
      list: operations.listProductTypes,
    })
}
