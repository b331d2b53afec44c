import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignLanes, splitIntoBatches } from '../../src/areas/notifications/delivery/message-batches.ts'
import { scheduleDelivery, type Window } from '../../src/areas/notifications/fan-out/aggregation.ts'
import { matchesExpression } from '../../src/areas/notifications/filters/expression.ts'
import { Budget, MAX_STEPS } from '../../src/areas/notifications/filters/expression-budget.ts'
import { ExpressionError, FilterError } from '../../src/areas/notifications/filters/expression-errors.ts'
import { parseExpression } from '../../src/areas/notifications/filters/expression-parser.ts'
import type { Message } from '../../src/platform/messaging/port.ts'
import { anyText, assertProperty } from '../support/property.ts'

describe('notifications', () => {
  test('are sent in requests within the limits, none lost and none out of order', () => {
    const bodies = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 40 })
    const limit = fc.record({ messages: fc.integer({ min: 1, max: 10 }), bytes: fc.integer({ min: 1, max: 40 }) })
    assertProperty(
      fc.property(bodies, limit, (bodies, limit) => {
        const messages = bodies.map((length, index): Message => {
          return { id: String(index), type: 'T', source: 's', time: new Date(0), body: 'é'.repeat(length) }
        })
        const batches = [...splitIntoBatches(messages, limit)]
        expect(batches.flat()).toEqual(messages)
        const bytesOf = (batch: readonly Message[]) => batch.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0)
        for (const [index, batch] of batches.entries()) {
          expect(batch.length).toBeGreaterThan(0)
          expect(batch.length).toBeLessThanOrEqual(limit.messages)
          if (batch.length > 1) expect(bytesOf(batch)).toBeLessThanOrEqual(limit.bytes)
          // Each request is as full as it can be.
          const next = batches[index + 1]?.slice(0, 1)
          if (next && batch.length < limit.messages) expect(bytesOf([...batch, ...next])).toBeGreaterThan(limit.bytes)
        }
      }),
    )
  })

  test('of a group stay in one lane and in their order, in no more lanes than allowed', () => {
    const items = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { maxLength: 40 })
    assertProperty(
      fc.property(items, fc.integer({ min: 1, max: 8 }), (groups, most) => {
        const items = groups.map((group, index) => ({ group, index }))
        const lanes = assignLanes(items, ({ group }) => group, most)
        const distinct = new Set(groups).size
        expect(lanes).toHaveLength(Math.min(distinct, most))
        expect(lanes.flat().length).toBe(items.length)
        for (const lane of lanes)
          expect(lane.map(({ index }) => index)).toEqual(lane.map(({ index }) => index).sort((a, b) => a - b))
        for (const group of groups)
          expect(lanes.filter((lane) => lane.some((one) => one.group === group))).toHaveLength(1)
      }),
    )
  })

  test('that are aggregated arrive at most once in a period, and the last change always arrives', () => {
    const PERIOD = 300
    // Multiples of a third of the period, so that changes often come exactly at its end.
    const waits = fc.array(fc.constantFrom(0, 100, 200, 299, 300, 301, 900), { maxLength: 40 })
    assertProperty(
      fc.property(waits, (waits) => {
        let window: Window | undefined
        let now = 0
        const due = new Map<string, number>()
        for (const [index, wait] of waits.entries()) {
          now += wait
          const id = String(index)
          const scheduled = scheduleDelivery(window, id, new Date(now), PERIOD)
          if (scheduled.replaces !== undefined) {
            // A notification that may have been sent cannot be replaced.
            expect(due.get(scheduled.replaces)).toBeGreaterThan(now)
            due.delete(scheduled.replaces)
          }
          due.set(id, scheduled.dueAt.getTime())
          expect(scheduled.dueAt.getTime()).toBeGreaterThanOrEqual(now)
          expect(scheduled.dueAt.getTime()).toBeLessThanOrEqual(now + PERIOD)
          window = scheduled.window
          expect([...due.keys()].at(-1)).toBe(id)
        }
        const times = [...due.values()]
        for (const [index, time] of times.slice(1).entries()) {
          expect(time - (times[index] as number)).toBeGreaterThanOrEqual(PERIOD)
        }
      }),
    )
  })
})

const { condition } = fc.letrec<{ condition: string; value: string }>((tie) => ({
  value: fc.constantFrom('price', 'sku', 'missing', 'offers', '3', '2.5', "'A'", 'null', 'offers.size()', 'seller.id'),
  condition: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('true', 'false', 'missing', 'has(seller.id)', 'has(seller.x)', "sku.startsWith('A')"),
    fc
      .tuple(tie('value'), fc.constantFrom('==', '!=', '<', '<=', '>', '>='), tie('value'))
      .map((parts) => parts.join(' ')),
    fc
      .tuple(tie('condition'), fc.constantFrom('&&', '||'), tie('condition'))
      .map(([a, op, b]) => `(${a}) ${op} (${b})`),
    tie('condition').map((a) => `!(${a})`),
    fc.tuple(tie('condition'), tie('condition'), tie('condition')).map(([a, b, c]) => `(${a}) ? (${b}) : (${c})`),
    tie('condition').map((a) => `offers.exists(price, (${a}) || price > 2)`),
  ),
}))
const payload = fc.record(
  {
    price: fc.oneof(fc.integer({ min: 0, max: 5 }), fc.constant('A')),
    sku: fc.constantFrom('A', 'AB', 'B'),
    offers: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 5 }),
    seller: fc.record({ id: fc.constantFrom('A', null) }, { requiredKeys: [] }),
  },
  { requiredKeys: [] },
)
const matches = (text: string, payload: object) => matchesExpression(text, payload)

describe('a filter', () => {
  test('obeys the laws of logic, also where values are missing', () => {
    assertProperty(
      fc.property(condition, condition, payload, (a, b, payload) => {
        const passes = (text: string) => matches(text, payload)
        expect(passes(`!((${a}) && (${b}))`)).toBe(passes(`!(${a}) || !(${b})`))
        expect(passes(`!((${a}) || (${b}))`)).toBe(passes(`!(${a}) && !(${b})`))
        expect(passes(`(${a}) && (${b})`)).toBe(passes(`(${b}) && (${a})`))
        expect(passes(`(${a}) || (${b})`)).toBe(passes(`(${b}) || (${a})`))
        expect(passes(`!(!(${a}))`)).toBe(passes(a))
        expect(passes(a) && passes(`!(${a})`)).toBe(false)
        expect(passes(`[1].all(x, ${a})`)).toBe(passes(a))
        expect(passes(`(${a}) ? true : false`)).toBe(passes(a))
      }),
    )
  })

  test('takes no more steps than allowed, and costs the same each time', () => {
    assertProperty(
      fc.property(condition, payload, (text, payload) => {
        const [first, second] = [new Budget(), new Budget()]
        expect(matchesExpression(text, payload, first)).toBe(matchesExpression(text, payload, second))
        expect(first.steps).toBe(second.steps)
        expect(first.steps).toBeLessThanOrEqual(MAX_STEPS)
      }),
    )
  })

  test('of any text is parsed, or refused at a place within the text', () => {
    const damaged = fc
      .tuple(condition, fc.nat(), fc.constantFrom(...Array.from('()[].,!?:&|<>="\'\\ -9e\0')))
      .map(([text, at, character]) => {
        const index = at % (text.length + 1)
        return text.slice(0, index) + character + text.slice(index)
      })
    assertProperty(
      fc.property(fc.oneof(damaged, anyText()), (text) => {
        try {
          parseExpression(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError)
          expect((error as ExpressionError).position).toBeGreaterThanOrEqual(1)
          expect((error as ExpressionError).position).toBeLessThanOrEqual(text.length + 1)
        }
        try {
          matches(text, {})
        } catch (error) {
          expect(error).toBeInstanceOf(FilterError)
        }
      }),
      300,
    )
  })
})
