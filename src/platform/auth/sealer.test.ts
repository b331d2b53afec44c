import { expect, test } from 'vitest'
import { Sealer } from './sealer.ts'

const sealer = new Sealer({ masterSecret: 'a-master-secret', fallbackSecrets: [] })

test('a sealed text can be read with its id only, and does not contain the text', () => {
  const sealed = sealer.seal('one', 'the secret é')
  expect(sealed).not.toContain('secret')
  expect(sealer.open('one', sealed)).toBe('the secret é')
  expect(sealer.open('two', sealed)).toBeUndefined()
  expect(sealer.seal('two', 'the secret é')).not.toBe(sealed)
})

test('a text that was changed is not opened', () => {
  const sealed = sealer.seal('one', 'the secret')
  for (const changed of ['', 'AAAA', `A${sealed.slice(1)}B`, sealed.slice(0, -2)]) {
    expect(sealer.open('one', changed), changed).toBeUndefined()
  }
})

test('a new master secret opens what the old one sealed, while the old one is a fallback', () => {
  const sealed = sealer.seal('one', 'the secret')
  const rotated = (...fallbackSecrets: string[]) => new Sealer({ masterSecret: 'another-secret', fallbackSecrets })
  expect(rotated('a-master-secret').open('one', sealed)).toBe('the secret')
  expect(rotated().open('one', sealed)).toBeUndefined()
})
