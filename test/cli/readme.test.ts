import { execFile, spawn } from 'node:child_process'
import { on } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { demo } from '../../src/dev/demo/index.ts'
import { startDev, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { changeDemoPrice, createDemoReport } from './demo-requests.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))
const DEFAULT_ADDRESS = 'http://127.0.0.1:4700'

/** The shell sessions of a page that talk to the stand-in. */
function sessionsIn(page: string): string[] {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block as string)
  return blocks.filter((block) => block.includes(DEFAULT_ADDRESS))
}

/** Pastes a page's session into a shell, with the address of a stand-in just for it. Answers a line for each `curl`. */
async function paste(page: string): Promise<string[]> {
  const { url } = await startDev(temporaryFolder())
  const session = sessionsIn(page)[0]?.replace(DEFAULT_ADDRESS, url) ?? ''
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

/** The consumer that the README shows, as a file beside the packages that it needs, with another address. */
function writeConsumer(queueUrl: string): string {
  const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8')
  const [, consumer] = /^```js\n(import [^`]*client-sqs.*?)^```$/ms.exec(text) ?? []
  if (!consumer) throw new Error('README.md shows no consumer')
  const file = fileURLToPath(new URL(`../../node_modules/.consumer-${process.pid}.mjs`, import.meta.url))
  writeFileSync(file, consumer.replace('http://127.0.0.1:4701', queueUrl))
  return file
}

test("the README's consumer receives what the README's subscriptions ask for, within a second", async () => {
  const souk = startSoukProcess(['dev', '--port', '0', '--delay', '0', '--data', temporaryFolder()])
  const [, url = ''] = await souk.waitFor(/^ +address +(http:\S+)$/m)
  const [, queueUrl = ''] = await souk.waitFor(/^ +local queue +(http:\S+)$/m)
  const subscribing = sessionsIn('README.md').find((session) => session.includes('/notifications/v1/'))
  const { stdout } = await promisify(execFile)('bash', ['-c', subscribing?.replace(DEFAULT_ADDRESS, url) ?? ''])
  const subscriptions = stdout.trimEnd().split('\n')
  expect(subscriptions.map((line) => JSON.parse(line).payload.payloadVersion)).toEqual(['2020-09-04', '1.0'])

  const file = writeConsumer(queueUrl)
  const consumer = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const lines = on(createInterface({ input: consumer.stdout }), 'line')
    await createDemoReport(url)
    // The first waits for the worker to start and for the consumer to load.
    await lines.next()
    const askedAt = performance.now()
    const reportId = await createDemoReport(url)
    const { value } = await lines.next()
    expect(performance.now() - askedAt).toBeLessThan(1000)
    expect(JSON.parse(value?.[0])).toMatchObject({ payload: { reportProcessingFinishedNotification: { reportId } } })

    const changedAt = performance.now()
    await changeDemoPrice(url, 61.5)
    const { value: told } = await lines.next()
    expect(performance.now() - changedAt).toBeLessThan(1000)
    const { Payload } = JSON.parse(told?.[0])
    expect(Payload.AnyOfferChangedNotification).toMatchObject({ OfferChangeTrigger: { ASIN: demo.asins[0] } })
    const prices = Payload.AnyOfferChangedNotification.Offers.map(
      (offer: { ListingPrice: { Amount: number } }) => offer.ListingPrice.Amount,
    )
    expect(prices).toContain(61.5)
  } finally {
    consumer.kill()
    rmSync(file)
  }
})
