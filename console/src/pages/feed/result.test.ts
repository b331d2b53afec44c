import { expect, test } from 'vitest'
import { readResult } from './result.ts'

test('the result of a listings feed has its errors first', async () => {
  const { counts, issues } = await readResult(
    JSON.stringify({
      header: { feedId: '1' },
      issues: [
        { messageId: 1, sku: 'A', severity: 'WARNING', code: '1', message: 'w' },
        { messageId: 3, sku: 'C', severity: 'ERROR', code: '2', message: 'e', attributeName: 'color' },
        { messageId: 2, sku: 'B', severity: 'ERROR', code: '2', message: 'e' },
      ],
      summary: { errors: 2, warnings: 1, messagesProcessed: 3, messagesAccepted: 1, messagesInvalid: 2 },
    }),
  )
  expect(issues.map(({ messageId, severity }) => [messageId, severity])).toEqual([
    [2, 'ERROR'],
    [3, 'ERROR'],
    [1, 'WARNING'],
  ])
  expect(counts).toContainEqual(['Not accepted', 2])
})

test('the result of an order feed has the same form', async () => {
  const { counts, issues } = await readResult(
    '<AmazonEnvelope><Message><MessageID>1</MessageID><ProcessingReport><ProcessingSummary><MessagesProcessed>2</MessagesProcessed>' +
      '<MessagesSuccessful>1</MessagesSuccessful><MessagesWithError>1</MessagesWithError><MessagesWithWarning>0</MessagesWithWarning>' +
      '</ProcessingSummary><Result><MessageID>2</MessageID><ResultCode>Error</ResultCode><ResultMessageCode>18028</ResultMessageCode>' +
      '<ResultDescription>No order 1 &amp; 2</ResultDescription></Result></ProcessingReport></Message></AmazonEnvelope>',
  )
  expect(counts).toEqual([
    ['Processed', 2],
    ['Accepted', 1],
    ['Errors', 1],
    ['Warnings', 0],
  ])
  expect(issues).toEqual([{ messageId: 2, severity: 'ERROR', code: '18028', message: 'No order 1 & 2' }])
})

test('an issue of the whole document belongs to no message', async () => {
  const { issues } = await readResult(
    '<AmazonEnvelope><Result><MessageID>0</MessageID><ResultCode>Error</ResultCode></Result></AmazonEnvelope>',
  )
  expect(issues[0]?.messageId).toBeUndefined()
})
