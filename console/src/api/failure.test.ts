import { expect, test } from 'vitest'
import { describe, Failure } from './failure.ts'

const failure = (message: string, details: string) => new Failure(400, { code: 'InvalidInput', message, details })

test('an error is one text of whole sentences', () => {
  expect(describe(failure('SKU NOPE not found', 'SKUs are case-sensitive.'))).toBe(
    'SKU NOPE not found. SKUs are case-sensitive.',
  )
  expect(describe(failure('The order was not found.', 'It is gone.'))).toBe('The order was not found. It is gone.')
  expect(describe(failure('SKU NOPE not found', ''))).toBe('SKU NOPE not found')
})
