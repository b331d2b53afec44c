import {
  findDefinition,
  findDefinitionViolation,
  listProductTypes,
  type ProductTypeDefinition,
  ProductTypes,
  upsertProductTypes,
  type VersionedDefinition,
  versionOfAll,
} from '../../marketplace/product-types/index.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { Outbox } from '../../platform/outbox/outbox.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { refuse } from '../checks.ts'
import { createProductTypesEvent } from './change-events.ts'

/** A definition as returned. It can be written back as it is, because the version is ignored on write. */
export type ProductTypeView = ProductTypeDefinition & { version?: string }

export type ProductTypeOperations = ReturnType<typeof createProductTypeOperations>

export function createProductTypeOperations({
  database,
  clock,
  outbox,
}: {
  database: Database
  clock: Clock
  outbox: Outbox
}) {
  const productTypes = new ProductTypes()
  return {
    async upsertProductTypes(types: ProductTypeView[]) {
      const definitions = types.map(({ version: _, ...definition }) => definition)
      refuseInvalidDefinitions(definitions)
      const versions = await database.transact(async (tx) => {
        const before = await productTypes.list(tx)
        const written = await upsertProductTypes(tx, definitions, clock.now())
        const after = await productTypes.list(tx)
        const version = versionOfAll(after)
        if (version === versionOfAll(before)) return written
        const known = new Set(before.map(({ name }) => name))
        const added = after.map(({ name }) => name).filter((name) => !known.has(name))
        await outbox.append(tx, [createProductTypesEvent(version, added, clock.now())])
        return written
      })
      return definitions.map(({ name }, index) => ({ name, version: versions[index] as string }))
    },
    async findProductType({ name }: Pick<ProductTypeView, 'name'>) {
      const found = await database.read((reader) => findDefinition(reader, name))
      return found && renderProductType(found)
    },
    async listProductTypes(page: PageRequest) {
      return (await database.read((reader) => listProductTypes(reader, page))).map(renderProductType)
    },
  }
}

const renderProductType = ({ definition, version }: VersionedDefinition): ProductTypeView => ({
  ...definition,
  version,
})

function refuseInvalidDefinitions(definitions: readonly ProductTypeDefinition[]): void {
  refuse(
    definitions.flatMap((definition, index) => {
      const violation = findDefinitionViolation(definition)
      if (!violation) return []
      const path = violation.path && `.${violation.path}`
      return [{ path: `productTypes[${index}]${path}`, reason: violation.reason }]
    }),
  )
}
