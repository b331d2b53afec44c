import { expect, test } from 'vitest'
import { defaultTimeout } from './timeouts.ts'

test.each([
  ['the calm run', undefined, 0, 600],
  ['an incident that passes', 'lost-answer', 0, 600],
  ['an incident without an end', 'stuck-feed', 0, 60],
  ['an incident without an end, of a command that takes minutes', 'stuck-feed', 100.2, 201],
  ['an incident without an end, of a command that takes long', 'stuck-feed', 500, 600],
])('%s has its time', (_case, incident, calmSeconds, seconds) => {
  expect(defaultTimeout(incident, calmSeconds)).toBe(seconds)
})
