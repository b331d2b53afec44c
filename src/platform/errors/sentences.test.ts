import { expect, test } from 'vitest'
import { joinSentences, toSentence } from './sentences.ts'

test('each text becomes a sentence with one end', () => {
  expect(joinSentences('SKU not found in marketplace X', 'The seller has none.')).toBe(
    'SKU not found in marketplace X. The seller has none.',
  )
  expect(joinSentences('', undefined, 'Did you mean getOrder?', 'Stop!')).toBe('Did you mean getOrder? Stop!')
  expect(toSentence('is not allowed. Did you mean limit?')).toBe('is not allowed. Did you mean limit?')
  expect(joinSentences()).toBe('')
})
