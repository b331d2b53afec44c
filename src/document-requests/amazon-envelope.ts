import { element } from '../platform/xml.ts'

/** The envelope of the marketplace's XML documents. */
export const envelopeStart = (messageType: string, documentVersion = '1.00', sellerId?: string) =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  '<AmazonEnvelope xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="amzn-envelope.xsd">\n' +
  `<Header><DocumentVersion>${documentVersion}</DocumentVersion>${element('MerchantIdentifier', sellerId)}</Header>\n` +
  `<MessageType>${messageType}</MessageType>\n`
export const ENVELOPE_END = '</AmazonEnvelope>\n'
