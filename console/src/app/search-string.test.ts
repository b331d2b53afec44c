import { expect, test } from 'vitest'
import { parseSearch, stringifySearch } from './search-string.ts'

const STATES = ['{"a":1}', '12345678901234567890', '1e3', 'true', '"quoted"', '[1]', 'a b+c&d=e%20', '', '007']

test.each(STATES)('the state %j of an application stays as it is, also through the sign-in', (state) => {
  const opened = parseSearch(`?application_id=app&state=${encodeURIComponent(state)}`)
  const from = `/authorize${stringifySearch(opened)}`
  const signIn = parseSearch(stringifySearch({ from }))
  expect(signIn).toEqual({ from })
  expect(parseSearch(from.slice(from.indexOf('?')))).toEqual({ application_id: 'app', state })
})

test('a list in an address is a name that is repeated', () => {
  const query = stringifySearch({ status: ['SHIPPED', 'PENDING'], from: undefined })
  expect(query).toBe('?status=SHIPPED&status=PENDING')
  expect(parseSearch(query)).toEqual({ status: ['SHIPPED', 'PENDING'] })
})

test('an address without values has no query', () => {
  expect(stringifySearch({ status: [], from: undefined })).toBe('')
  expect(parseSearch('')).toEqual({})
})
