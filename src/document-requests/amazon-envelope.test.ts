import { expect, test } from 'vitest'
import { ENVELOPE_END, envelopeStart } from './amazon-envelope.ts'

test('start and end of the envelope form a complete document', () => {
  const document = `${envelopeStart('AllOrdersReport')}${ENVELOPE_END}`
  expect(document).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<AmazonEnvelope [^>]+>\n/)
  expect(document).toContain('<DocumentVersion>1.00</DocumentVersion>')
  expect(document).toMatch(/<MessageType>AllOrdersReport<\/MessageType>\n<\/AmazonEnvelope>\n$/)
})
