import { demo } from '../../src/dev/demo/index.ts'

/** Requests a token with the demo credentials, as printed in the banner of `souk dev`. */
export function requestToken(url: string): Promise<Response> {
  const { refreshToken: refresh_token, clientId: client_id, clientSecret: client_secret } = demo
  return fetch(`${url}/auth/o2/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token, client_id, client_secret }),
  })
}

/** Solicits a review of an order. Returns the status. */
export async function solicit(url: string, orderId: string): Promise<number> {
  const { access_token } = (await (await requestToken(url)).json()) as { access_token: string }
  const action = `${url}/solicitations/v1/orders/${orderId}/solicitations/productReviewAndSellerFeedback`
  const response = await fetch(`${action}?marketplaceIds=${demo.marketplaceId}`, {
    method: 'POST',
    headers: { 'x-amz-access-token': access_token },
  })
  await response.body?.cancel()
  return response.status
}

/** Requests a report of the demo seller's returns. Returns its id. */
export async function createDemoReport(url: string): Promise<string> {
  const { access_token } = (await (await requestToken(url)).json()) as { access_token: string }
  const response = await fetch(`${url}/reports/2021-06-30/reports`, {
    method: 'POST',
    headers: { 'x-amz-access-token': access_token, 'content-type': 'application/json' },
    body: JSON.stringify({
      reportType: 'GET_XML_RETURNS_DATA_BY_RETURN_DATE',
      marketplaceIds: [demo.marketplaceId],
    }),
  })
  return ((await response.json()) as { reportId: string }).reportId
}

/** Asks another price for the demo seller's first listing. */
export async function changeDemoPrice(url: string, value_with_tax: number): Promise<void> {
  const { access_token } = (await (await requestToken(url)).json()) as { access_token: string }
  const [sku] = demo.skus
  const path = `/listings/2021-08-01/items/${demo.sellerId}/${sku}?marketplaceIds=${demo.marketplaceId}`
  const value = [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax }] }] }]
  const response = await fetch(url + path, {
    method: 'PATCH',
    headers: { 'x-amz-access-token': access_token, 'content-type': 'application/json' },
    body: JSON.stringify({
      productType: demo.productType,
      patches: [{ op: 'replace', path: '/attributes/purchasable_offer', value }],
    }),
  })
  if (!response.ok) throw new Error(await response.text())
}

/** The output of a command that fails: one line, one sentence, no stack trace. */
export const ONE_SENTENCE = /^souk: [^\n]+\.\n$/
