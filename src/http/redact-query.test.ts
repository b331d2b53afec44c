import { expect, test } from 'vitest'
import { redactQuery } from './redact-query.ts'

test.each([
  ['/a', ''],
  ['/a?', ''],
  ['/a?marketplaceIds=ATVPDKIKX0DER&pageSize=5', 'marketplaceIds=ATVPDKIKX0DER&pageSize=5'],
  ['/a?NextToken=abc&pageToken=d%3D', 'NextToken=[redacted]&pageToken=[redacted]'],
  ['/a?paginationToken=e&pageSize=5', 'paginationToken=[redacted]&pageSize=5'],
  [
    '/documents/a?X-Amz-Date=20260601T120000Z&X-Amz-Credential=AKIA%2F2026&X-Amz-Signature=0123',
    'X-Amz-Date=20260601T120000Z&X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]',
  ],
  ['/a?X-Amz-Security-Token=abc', 'X-Amz-Security-Token=[redacted]'],
  [
    '/auth/o2/token?grant_type=x&client_id=y&client_secret=s&refresh_token=Atzr|1&code=c',
    'grant_type=x&client_id=y&client_secret=[redacted]&refresh_token=[redacted]&code=[redacted]',
  ],
  ['/callback?spapi_oauth_code=c&state=1&codes=2', 'spapi_oauth_code=[redacted]&state=[redacted]&codes=2'],
  ['/a?%72efresh_token=secret&%zz=1', '%72efresh_token=[redacted]&%zz=1'],
  ['/a?sku=Atza|abc-_&b=Atz.sprdt%7Cdef', 'sku=Atza|[redacted]&b=Atz.sprdt%7C[redacted]'],
  ['/a?BuyerEmail=a@b.example&buyerPhone=1', 'BuyerEmail=[redacted]&buyerPhone=[redacted]'],
  ['/a?token', 'token'],
  ['/a?Atzr%7Cmy-token=&api_key=1', 'Atzr%7C[redacted]=[redacted]&api_key=[redacted]'],
])('%s is logged as %o', (url, logged) => {
  expect(redactQuery(url)).toBe(logged)
})
