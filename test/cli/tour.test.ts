import { spawn } from 'node:child_process'
import { on } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { demo } from '../../src/dev/demo/index.ts'
import {
  COMMANDS_TIMEOUT_MILLISECONDS,
  codeBlocks,
  documentedCommands,
  runCommands,
} from '../support/documented-commands.ts'
import { startDev, startSoukProcess, temporaryFolder } from '../support/souk-process.ts'
import { changeDemoPrice, createDemoReport } from './demo-requests.ts'

const TOUR = 'docs/tour.md'

test(
  'the commands of the tour work in the order of the page, and print the documented output',
  async () => {
    const { url } = await startDev(temporaryFolder())
    const [participations, actions, first, second, patched, item, summary, report, ...lines] = await runCommands(
      documentedCommands(TOUR),
      url,
    )
    const [xml, feed, result, ...later] = [lines.slice(0, 6).join('\n'), ...lines.slice(6)]
    const [reports, offers, clock, expired, ...rest] = later
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
    expect(JSON.parse(feed as string)).toMatchObject({ processingStatus: 'DONE' })
    expect(JSON.parse(result as string)).toMatchObject({
      issues: [],
      summary: { messagesProcessed: 2, messagesAccepted: 2 },
      items: [{ sku: 'MY-SANDAL-39', issues: [] }, { sku: 'SOUK-SHOE-002' }],
    })
    expect(JSON.parse(reports as string)).toMatchObject({ payload: { payloadVersion: '2020-09-04' } })
    expect(JSON.parse(offers as string)).toMatchObject({ payload: { payloadVersion: '1.0' } })
    expect(JSON.parse(clock as string)).toMatchObject({ offsetSeconds: 7200 })
    expect(JSON.parse(expired as string).errors[0]).toMatchObject({
      code: 'Unauthorized',
      details: expect.stringContaining('expired'),
    })
    expect(rest).toEqual([])
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)

/** Writes the consumer of the tour next to the packages that it imports, with another URL of the queue. */
function writeConsumer(queueUrl: string): string {
  const [consumer] = codeBlocks(TOUR, 'js')
  if (!consumer) throw new Error(`${TOUR} has no consumer`)
  const file = fileURLToPath(new URL(`../../node_modules/.consumer-${process.pid}.mjs`, import.meta.url))
  writeFileSync(file, consumer.replace('http://127.0.0.1:4701', queueUrl))
  return file
}

test(
  'the consumer of the tour receives the notifications that the tour subscribes to',
  async () => {
    const souk = startSoukProcess(['dev', '--port', '0', '--delay', '0', '--data', temporaryFolder()])
    const [, url = ''] = await souk.waitFor(/^ +address +(http:\S+)$/m)
    const [, queueUrl = ''] = await souk.waitFor(/^ +local queue +(http:\S+)$/m)
    const [getToken = '', ...others] = documentedCommands(TOUR)
    const subscribe = others.filter((commands) => commands.includes('/notifications/v1/'))
    const subscriptions = await runCommands([getToken, ...subscribe], url)
    expect(subscriptions.map((line) => JSON.parse(line).payload.payloadVersion)).toEqual(['2020-09-04', '1.0'])

    const file = writeConsumer(queueUrl)
    const consumer = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] })
    try {
      const lines = on(createInterface({ input: consumer.stdout }), 'line')
      await createDemoReport(url)
      await lines.next()
      const reportId = await createDemoReport(url)
      const { value } = await lines.next()
      expect(JSON.parse(value?.[0])).toMatchObject({ payload: { reportProcessingFinishedNotification: { reportId } } })

      await changeDemoPrice(url, 61.5)
      const { value: offerChange } = await lines.next()
      const { Payload } = JSON.parse(offerChange?.[0])
      expect(Payload.AnyOfferChangedNotification).toMatchObject({ OfferChangeTrigger: { ASIN: demo.asins[0] } })
      const prices = Payload.AnyOfferChangedNotification.Offers.map(
        (offer: { ListingPrice: { Amount: number } }) => offer.ListingPrice.Amount,
      )
      expect(prices).toContain(61.5)
    } finally {
      consumer.kill()
      rmSync(file)
    }
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)
