import { describe, expect, test, vi } from 'vitest'
import { randomCondition, randomList, seededRandom } from '../../../../test/support/random-expressions.ts'
import { matchesExpression } from './expression.ts'
import { Budget, MAX_STEPS } from './expression-budget.ts'
import { FilterError } from './expression-errors.ts'
import { Evaluation } from './expression-evaluation.ts'
import { type Expression, parseExpression } from './expression-parser.ts'

const integers = (count: number) => Array.from({ length: count }, (_, index) => index)

/** As large as a message can be, in all of its shapes: long, wide, deep, and texts that are searched slowly. */
function largePayload(): Record<string, unknown> {
  const deep = (levels: number) => {
    let value: unknown = 'end'
    for (let level = 0; level < levels; level++) value = [value]
    return value
  }
  const offers = () => integers(300).map((q) => ({ q, s: `SHOE-${q}`, l: [q, { q }], yes: q % 2 === 0 }))
  const wide = () => Object.fromEntries(integers(2_000).map((key) => [`key${key}`, key]))
  return {
    n: offers(),
    m: offers(),
    l: integers(10_000),
    k: integers(10_000),
    w: wide(),
    x: wide(),
    d: deep(20_000),
    e: deep(20_000),
    t: 'a'.repeat(20_000),
    p: `b${'a'.repeat(10_000)}`,
    o: { q: 1, s: 'A1', l: [1, 2, 3], yes: true },
  }
}

/** Counts what is read of a payload, without asking the evaluation. Fails an evaluation that does not end. */
function watch(payload: object): { watched: object; reads: () => number } {
  let reads = 0
  const count = (more: number) => {
    reads += more
    if (reads > 100 * MAX_STEPS) throw new Error('the evaluation reads without end')
  }
  const proxies = new WeakMap<object, object>()
  const wrap = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    const known = proxies.get(value)
    if (known) return known
    const proxy = new Proxy(value, {
      get(target, key) {
        count(1)
        return wrap(Reflect.get(target, key))
      },
      ownKeys(target) {
        const keys = Reflect.ownKeys(target)
        count(keys.length)
        return keys
      },
    })
    proxies.set(value, proxy)
    return proxy
  }
  return { watched: wrap(payload) as object, reads: () => reads }
}

/** The total number of elements in the lists of a value, except those of the payload. */
function builtElements(value: unknown, ofPayload: ReadonlySet<unknown>): number {
  const seen = new Set<unknown>()
  const visit = (one: unknown): number => {
    if (!Array.isArray(one) || ofPayload.has(one) || seen.has(one)) return 0
    seen.add(one)
    return one.reduce((sum: number, item) => sum + visit(item), one.length)
  }
  return visit(value)
}

function objectsIn(payload: object): ReadonlySet<unknown> {
  const objects = new Set<unknown>([payload])
  for (const object of objects) {
    for (const value of Object.values(object as object)) if (typeof value === 'object') objects.add(value)
  }
  return objects
}

function outcomeOf(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

const PAYLOAD = 'AnyOfferChangedNotification'
/** Each level is a list of six copies of the one before it. */
function copies(root: string, levels: number, end: (last: string) => string): string {
  const names = 'nmopqrstu'
  const names6 = (name: string) => Array(6).fill(name).join(',')
  const opened = integers(levels).map((level) => `[[${names6(names[level] as string)}]].all(${names[level + 1]},`)
  return `[${root}].all(n,${opened.join('')}${end(names[levels] as string)}${')'.repeat(levels + 1)}`
}
const attacks = [
  copies(PAYLOAD, 8, (last) => `[${last}]==[${last}]`),
  copies(`${PAYLOAD}.SellerId`, 8, (last) => `[${last}] ==[${last}]`),
]
const offer = { [PAYLOAD]: { SellerId: 'A1', Offers: integers(20).map((q) => ({ q, text: 'x'.repeat(20) })) } }

describe('nested quantifiers over copied lists', () => {
  test('are refused when they are nested too deep', () => {
    expect(attacks.map(({ length }) => length)).toEqual([229, 239])
    for (const attack of attacks) {
      expect(() => parseExpression(attack)).toThrow('all() is nested deeper than 3 levels')
      expect(() => matchesExpression(attack, offer)).toThrow(FilterError)
    }
  })

  test('cost as much as they compare, at any depth', () => {
    const list = (items: Expression[]): Expression => ({ kind: 'list', items })
    const name = (text: string): Expression => ({ kind: 'name', name: text })
    const all = (over: Expression, variable: string, within: Expression): Expression => {
      return { kind: 'quantify', quantifier: 'all', over, variable, test: within }
    }
    // Two towers that share nothing: each is 6^8 leaves high if it is walked.
    const tower = (first: string, within: Expression) =>
      integers(8).reduceRight<Expression>(
        (inner, level) => all(list([list(Array(6).fill(name(`${first}${level}`)))]), `${first}${level + 1}`, inner),
        within,
      )
    const compared: Expression = { kind: 'compare', comparison: '==', left: name('a8'), right: name('b8') }
    const budget = new Budget()
    const evaluation = new Evaluation({ a0: [offer], b0: [structuredClone(offer)] }, budget)
    expect(() => evaluation.evaluate(tower('a', tower('b', compared)))).toThrow(FilterError)
    expect(budget.steps).toBeLessThan(MAX_STEPS + 10)
  })
})

describe('a filter that exceeds its budget is aborted', () => {
  const large = largePayload()
  test.each([
    ['that walks lists in lists', 'l.all(a,l.all(b,l.all(c,true)))'],
    ['that walks a list for every element of another', 'l.all(a,k.all(b,a.x==b.x))'],
    ['that compares long lists again and again', 'l.all(a,l==k)'],
    ['that looks a long list up again and again', 'l.all(a,!(-1 in k))'],
    ['that looks lists up in lists', 'l.all(a,l in [m,k])'],
    ['that compares long texts again and again', 'l.all(a,[t]==[t])'],
    ['that orders long texts again and again', 'l.all(a,t<=t)'],
    ['that measures a long text again and again', 'l.all(a,t.size()>0)'],
    ['that measures a wide map again and again', 'l.all(a,w.size()>0)'],
    ['that compares deep lists again and again', 'l.all(a,d==e)'],
    ['that compares wide maps again and again', 'l.all(a,w==x)'],
    ['that visits a wide map again and again', 'l.all(a,w.exists(b,true))'],
    ['that searches a text slowly', 't.contains(p)'],
    ['that tests a long beginning again and again', 'l.all(a,t.startsWith(t))'],
    ['that tests a long end again and again', 'l.all(a,t.endsWith(t))'],
  ])('%s', (_name, expression) => {
    const { watched, reads } = watch(large)
    expect(() => matchesExpression(expression, watched)).toThrow(FilterError)
    expect(() => matchesExpression(expression, watched)).toThrow('takes more than 10000 steps')
    expect(reads()).toBeLessThan(2 * 10 * MAX_STEPS)
  })

  test('before an expensive search starts', () => {
    const search = vi.spyOn(String.prototype, 'includes')
    const outcome = outcomeOf(() => matchesExpression('t.contains(p)', large))
    const searched = search.mock.calls.length
    search.mockRestore()
    expect(outcome).toBeInstanceOf(FilterError)
    expect(searched).toBe(0)
  })
})

test('values nested deeper than the call stack are compared', () => {
  const shallow = (levels: number) => JSON.parse(`${'['.repeat(levels)}1${']'.repeat(levels)}`)
  expect(matchesExpression('d==e', { d: shallow(5_000), e: shallow(5_000) })).toBe(true)
  expect(matchesExpression('d==e', { d: shallow(5_000), e: shallow(5_001) })).toBe(false)
})

test('an ordinary filter over the largest offer notification uses at most a fiftieth of the budget', () => {
  const offers = integers(20).map((index) => ({
    SellerId: `A${index}`,
    IsBuyBoxWinner: index === 19,
    ListingPrice: { Amount: index, CurrencyCode: 'USD' },
  }))
  const payload = { [PAYLOAD]: { OfferChangeTrigger: { MarketplaceId: 'ATVPDKIKX0DER' }, Offers: offers } }
  const budget = new Budget()
  const filter =
    `${PAYLOAD}.OfferChangeTrigger.MarketplaceId in ['ATVPDKIKX0DER','A1PA6795UKMFR9'] && ` +
    `${PAYLOAD}.Offers.exists(o, o.IsBuyBoxWinner && o.SellerId != 'A1' && o.ListingPrice.Amount < 20.0)`
  expect(matchesExpression(filter, payload, budget)).toBe(true)
  expect(budget.steps).toBeLessThan(MAX_STEPS / 50)
})

test('a filter with many conditions over the largest order uses at most two thirds of the budget', () => {
  const items = integers(100).map((index) => ({ SellerSKU: `SHOE-${index}-RED-LARGE`, Quantity: 1 }))
  const payload = { OrderChangeNotification: { Summary: { OrderItems: items } } }
  const budget = new Budget()
  const filter =
    'OrderChangeNotification.Summary.OrderItems.all(i, i.Quantity < 5 && ' +
    "!i.SellerSKU.startsWith('A-') && !i.SellerSKU.startsWith('B-') && !i.SellerSKU.endsWith('-XL') && " +
    "!i.SellerSKU.contains('BOOT') && i.SellerSKU != 'C')"
  expect(matchesExpression(filter, payload, budget)).toBe(true)
  expect(budget.steps).toBeLessThan((MAX_STEPS * 2) / 3)
})

describe('any expression of 256 characters over a large payload', () => {
  const large = largePayload()

  test('ends within the budget with true, false or a FilterError', () => {
    const random = seededRandom(20_261_116)
    const counts = { true: 0, false: 0, failed: 0 }
    for (let index = 0; index < 2_000; index++) {
      const expression = randomCondition(random, 256)
      const { watched, reads } = watch(large)
      const budget = new Budget()
      const outcome = outcomeOf(() => matchesExpression(expression, watched, budget))
      if (outcome instanceof FilterError) counts.failed++
      else if (typeof outcome === 'boolean') counts[`${outcome}`]++
      else throw new Error(`${expression} has the outcome ${outcome}`, { cause: outcome })
      expect(reads(), expression).toBeLessThan(10 * MAX_STEPS)
      if (!(outcome instanceof FilterError)) expect(budget.steps, expression).toBeLessThanOrEqual(MAX_STEPS)
    }
    // Each result must be common, or the expressions prove nothing.
    for (const count of Object.values(counts)) expect(count, JSON.stringify(counts)).toBeGreaterThan(100)
  }, 120_000)

  test('builds no more elements than it takes steps', () => {
    const random = seededRandom(8)
    const ofPayload = objectsIn(large)
    for (let index = 0; index < 1_000; index++) {
      const expression = randomList(random, 256)
      const budget = new Budget()
      const value = outcomeOf(() => new Evaluation(large, budget).evaluate(parseExpression(expression)))
      expect(builtElements(value, ofPayload), expression).toBeLessThanOrEqual(budget.steps)
    }
  }, 120_000)
})
