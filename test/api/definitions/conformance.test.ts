import { beforeAll, describe, expect, test } from 'vitest'
import { conformsTo, modelsArePresent, readModel } from '../../support/public-models.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

const MODEL = 'definitionsProductTypes_2020-09-01.json'
const PATH = '/definitions/2020-09-01/productTypes'

interface Parameter {
  name: string
  in: string
  enum?: string[]
}

describe.skipIf(!modelsArePresent)('definitions conform to the public model', () => {
  let souk: TestSouk
  let token: string
  beforeAll(async () => {
    souk = await startTestSouk()
    token = await souk.tokenFor(souk.demo.refreshToken)
  })

  const get = (path: string, query: Record<string, string> = {}) => {
    const parameters = new URLSearchParams({ marketplaceIds: souk.demo.marketplaceId, ...query })
    return souk.get(`${PATH}${path}?${parameters}`, { token })
  }

  test('searchDefinitionsProductTypes', async () => {
    const queries: Record<string, string>[] = [
      {},
      { keywords: 'LUGGAGE' },
      { itemName: 'Running shoes' },
      { keywords: 'spaceship' },
    ]
    for (const query of queries) {
      conformsTo(MODEL, 'ProductTypeList', (await get('', query)).json())
    }
  })

  test('getDefinitionsProductType, with every parameter value of the model', async () => {
    const parameters: Parameter[] = readModel(MODEL).paths[`${PATH}/{productType}`].get.parameters
    const choices = parameters.flatMap(({ name, enum: values = [] }) => values.map((value) => [name, value] as const))
    expect(choices.length).toBeGreaterThan(40)
    for (const [name, value] of choices) {
      const response = await get('/LUGGAGE', { [name]: value })
      expect(response.statusCode, `${name}=${value}`).toBe(200)
      conformsTo(MODEL, 'ProductTypeDefinition', response.json())
    }
  })

  test('errors', async () => {
    for (const path of ['/SPACESHIP', '/SHOES']) {
      conformsTo(MODEL, 'ErrorList', (await get(path, { productTypeVersion: 'none' })).json())
    }
  })
})
