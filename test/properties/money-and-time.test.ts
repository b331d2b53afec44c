import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatMinor, toMinor } from '../../src/marketplace/money.ts'
import { isTimestamp, parseTimestamp } from '../../src/platform/timestamps.ts'
import { anyText, assertProperty } from '../support/property.ts'

const DIGITS = { JPY: 0, USD: 2, HUF: 2, KWD: 3, CLF: 4 }
const currency = fc.constantFrom(...(Object.keys(DIGITS) as (keyof typeof DIGITS)[]))
const MAX_MINOR = 10 ** 12

describe('money', () => {
  test('is the same after it was written and read', () => {
    const minor = fc.integer({ min: -MAX_MINOR, max: MAX_MINOR })
    assertProperty(
      fc.property(minor, currency, (minor, code) => {
        expect(toMinor(Number(formatMinor(minor, code)), code)).toBe(minor)
      }),
    )
  })

  test('is written with all digits of its currency, and nothing else', () => {
    assertProperty(
      fc.property(fc.maxSafeInteger(), currency, (minor, code) => {
        const [, sign, whole = '', fraction = ''] =
          /^(-?)(0|[1-9]\d*)(?:\.(\d+))?$/.exec(formatMinor(minor, code)) ?? []
        expect(fraction).toHaveLength(DIGITS[code])
        expect(BigInt(`${sign}${whole}${fraction}`)).toBe(BigInt(minor))
      }),
    )
  })

  test('is rounded half up from the decimal that the client sent, not from its binary approximation', () => {
    const decimal = fc.tuple(fc.integer({ min: 0, max: 10 ** 8 }), fc.integer({ min: 0, max: 999_999 }))
    assertProperty(
      fc.property(decimal, currency, ([whole, millionths], code) => {
        const text = `${whole}.${String(millionths).padStart(6, '0')}`
        const millionthsInAll = BigInt(whole) * 1_000_000n + BigInt(millionths)
        const unit = 10n ** BigInt(6 - DIGITS[code])
        expect(toMinor(Number(text), code)).toBe(Number((millionthsInAll + unit / 2n) / unit))
      }),
    )
  })
})

const two = (number: number) => String(number).padStart(2, '0')
const time = fc.record({
  year: fc.oneof(fc.integer({ min: 1, max: 9999 }), fc.constantFrom(1, 49, 99, 1969, 2000, 2024)),
  month: fc.integer({ min: 1, max: 12 }),
  day: fc.integer({ min: 1, max: 31 }),
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
  second: fc.option(fc.integer({ min: 0, max: 59 }), { nil: undefined }),
  fraction: fc.option(fc.stringMatching(/^\d{1,9}$/), { nil: undefined }),
  zone: fc.option(
    fc.record({
      sign: fc.constantFrom('+', '-'),
      hours: fc.integer({ min: 0, max: 14 }),
      minutes: fc.constantFrom(0, 15, 30, 45),
      colon: fc.constantFrom('', ':'),
    }),
    { nil: undefined },
  ),
})

describe('a timestamp', () => {
  test('names the moment that its parts name, in any notation', () => {
    assertProperty(
      fc.property(time, ({ year, month, day, hour, minute, second, fraction, zone }) => {
        const seconds = second === undefined ? '' : `:${two(second)}${fraction === undefined ? '' : `.${fraction}`}`
        const offset = zone ? `${zone.sign}${two(zone.hours)}${zone.colon}${two(zone.minutes)}` : ''
        const date = `${String(year).padStart(4, '0')}-${two(month)}-${two(day)}`
        const milliseconds = second === undefined ? 0 : Number((fraction ?? '').slice(0, 3).padEnd(3, '0'))
        const moment = new Date(0)
        moment.setUTCFullYear(year, month - 1, day)
        const isRealDay = moment.getUTCDate() === day
        moment.setUTCHours(hour, minute, second ?? 0, milliseconds)
        const ahead = zone ? (zone.sign === '+' ? 1 : -1) * (zone.hours * 60 + zone.minutes) : 0
        moment.setTime(moment.getTime() - ahead * 60_000)
        const isStorable = moment.getUTCFullYear() >= 1 && moment.getUTCFullYear() <= 9999
        const text = `${date}T${two(hour)}:${two(minute)}${seconds}${offset}`
        expect(isTimestamp(text), text).toBe(isRealDay && isStorable)
        if (isRealDay && isStorable) expect(parseTimestamp(text)).toEqual(moment)
      }),
      300,
    )
  })

  test('is recognized or refused without an error, and stored as text that sorts', () => {
    const nearly = fc.stringMatching(/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,10})?)?(Z|[+-]\d\d:?\d\d)?)?$/)
    assertProperty(
      fc.property(fc.oneof(nearly, anyText()), (text) => {
        if (isTimestamp(text)) expect(parseTimestamp(text).toISOString()).toMatch(/^\d{4}-/)
      }),
      300,
    )
  })
})
