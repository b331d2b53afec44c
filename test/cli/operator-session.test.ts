import { expect, test } from 'vitest'
import { COMMANDS_TIMEOUT_MILLISECONDS, documentedCommands, runCommands } from '../support/documented-commands.ts'
import { startDev, temporaryFolder } from '../support/souk-process.ts'

test(
  'the commands of docs/operator-api.md create a marketplace from scratch',
  async () => {
    const { url } = await startDev(temporaryFolder())
    const lines = await runCommands(documentedCommands('docs/operator-api.md'), url)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { marketplaces: [{ marketplaceId: 'BAZAAR1' }] },
      { sellers: [{ sellerId: 'AMYSELLER' }] },
      { applications: [expect.objectContaining({ applicationId: 'my-app', clientSecret: expect.any(String) })] },
      { authorizations: [expect.objectContaining({ refreshToken: expect.stringMatching(/^Atzr\|/) })] },
      { orders: [{ sellerId: 'AMYSELLER', orderId: '100-0000000-0000001' }] },
      { returns: [{ sellerId: 'AMYSELLER', rmaId: 'RMA-1' }] },
      { feedback: [{ sellerId: 'AMYSELLER', orderId: '100-0000000-0000001' }] },
      { catalogItems: [{ marketplaceId: 'BAZAAR1', asin: 'B000000001' }] },
      { offers: [{ marketplaceId: 'BAZAAR1', asin: 'B000000001', sellerId: 'ACOMPETITOR', sku: '-' }] },
      expect.objectContaining({ access_token: expect.stringMatching(/^Atza\|/), token_type: 'bearer' }),
      expect.objectContaining({ sellerId: 'ACOMPETITOR', priceMinor: 4690 }),
      expect.objectContaining({ orderId: '100-0000000-0000001', sellerOrderId: '4711', status: 'Shipped' }),
    ])
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)
