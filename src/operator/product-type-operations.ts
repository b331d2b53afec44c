import {
  findDefinition,
  findFault,
  listProductTypes,
  type ProductTypeDefinition,
  upsertProductTypes,
  type VersionedDefinition,
} from '../marketplace/product-types/index.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'
import type { PageRequest } from '../platform/paging.ts'

/** A definition as it is shown, which is also how it may be written: its version is then passed by. */
export type ShownProductType = ProductTypeDefinition & { version?: string }

export type ProductTypeOperations = ReturnType<typeof createProductTypeOperations>

export function createProductTypeOperations({ database, clock }: { database: Database; clock: Clock }) {
  return {
    async upsertProductTypes(types: ShownProductType[]) {
      const definitions = types.map(({ version: _, ...definition }) => definition)
      refuseFaults(definitions)
      const versions = await database.transact((tx) => upsertProductTypes(tx, definitions, clock.now()))
      return definitions.map(({ name }, index) => ({ name, version: versions[index] as string }))
    },
    async findProductType({ name }: Pick<ShownProductType, 'name'>) {
      const found = await database.read((reader) => findDefinition(reader, name))
      return found && show(found)
    },
    async listProductTypes(page: PageRequest) {
      return (await database.read((reader) => listProductTypes(reader, page))).map(show)
    },
  }
}

const show = ({ definition, version }: VersionedDefinition): ShownProductType => ({ ...definition, version })

function refuseFaults(definitions: readonly ProductTypeDefinition[]): void {
  for (const [index, definition] of definitions.entries()) {
    const fault = findFault(definition)
    if (fault) throw invalidParameter(`productTypes[${index}]${fault.place && `.${fault.place}`}`, fault.reason)
  }
}
