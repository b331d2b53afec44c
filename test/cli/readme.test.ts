import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { startDev, temporaryFolder } from '../support/souk-process.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const DEFAULT_ADDRESS = 'http://127.0.0.1:4700'

/** The shell session of a page that talks to the stand-in. */
function sessionIn(page: string): string {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
  const session = blocks.find((block) => block.includes(DEFAULT_ADDRESS))
  if (!session) throw new Error(`${page} shows no session`)
  return session
}

/** Pastes a page's session into a shell, with the address of a stand-in just for it. Answers a line for each `curl`. */
async function paste(page: string): Promise<string[]> {
  const { url } = await startDev(temporaryFolder())
  const session = sessionIn(page).replace(DEFAULT_ADDRESS, url)
  const { stdout, stderr } = await promisify(execFile)('bash', ['-c', session], { cwd: REPOSITORY })
  expect(stderr).toBe('')
  return stdout.trimEnd().split('\n')
}

test("the README's session works when it is pasted, and shows what it says", async () => {
  const [participations, actions, first, second, patched, item, summary, report, ...lines] = await paste('README.md')
  const [xml, feed, clock, expired, ...rest] = [lines.slice(0, 6).join('\n'), ...lines.slice(6)]
  expect(JSON.parse(participations as string).payload).toHaveLength(2)
  expect(JSON.parse(actions as string)._embedded.actions).toHaveLength(1)
  expect(first).toBe('{} 201')
  expect(second).toMatch(/already sent.* 403$/)
  expect(JSON.parse(patched as string)).toMatchObject({ status: 'ACCEPTED', issues: [] })
  expect(JSON.parse(item as string)).toMatchObject({ offers: [{ price: { amount: '79.90' } }], issues: [] })
  const { featuredBuyingOptions, referencePrices } = JSON.parse(summary as string).responses[0].body
  expect(featuredBuyingOptions[0].segmentedFeaturedOffers[0]).toMatchObject({ listingPrice: { amount: 79.9 } })
  expect(referencePrices).toHaveLength(3)
  expect(JSON.parse(report as string)).toMatchObject({ processingStatus: 'DONE' })
  expect(xml).toMatch(/^<\?xml.*<MessageType>Returns-Report<.*<return_details>.*<\/return_details>$/s)
  expect(JSON.parse(feed as string)).toMatchObject({
    issues: [],
    summary: { messagesProcessed: 2, messagesAccepted: 2 },
    items: [{ sku: 'MY-SANDAL-39', issues: [] }, { sku: 'SOUK-SHOE-002' }],
  })
  expect(JSON.parse(clock as string)).toMatchObject({ offsetSeconds: 7200 })
  expect(JSON.parse(expired as string).errors[0]).toMatchObject({
    code: 'Unauthorized',
    details: expect.stringContaining('expired'),
  })
  expect(rest).toEqual([])
})

test("the operator's session works when it is pasted, and makes a marketplace from nothing", async () => {
  const answers = (await paste('docs/operator-api.md')).map((line) => JSON.parse(line))
  expect(answers).toEqual([
    { marketplaces: [{ marketplaceId: 'BAZAAR1' }] },
    { sellers: [{ sellerId: 'AMYSELLER' }] },
    { applications: [expect.objectContaining({ applicationId: 'my-app', clientSecret: expect.any(String) })] },
    { authorizations: [expect.objectContaining({ refreshToken: expect.stringMatching(/^Atzr\|/) })] },
    { orders: [{ sellerId: 'AMYSELLER', orderId: '100-0000000-0000001' }] },
    { returns: [{ sellerId: 'AMYSELLER', rmaId: 'RMA-1' }] },
    { feedback: [{ sellerId: 'AMYSELLER', orderId: '100-0000000-0000001' }] },
    { catalogItems: [{ marketplaceId: 'BAZAAR1', asin: 'B000000001' }] },
    { offers: [{ marketplaceId: 'BAZAAR1', asin: 'B000000001', sellerId: 'ARIVAL', sku: '-' }] },
  ])
})
