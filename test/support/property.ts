import fc from 'fast-check'

const SEED = Number(process.env.PROPERTY_SEED ?? 20_260_601)
const DEFAULT_RUNS = 100

/**
 * Checks a property for generated values. A failure prints the shortest example, and the seed and path that replay it.
 * The seed is fixed, so that a change of other code does not fail by chance; PROPERTY_SEED tries others.
 */
export function assertProperty<Values>(property: fc.IProperty<Values>, runs = DEFAULT_RUNS): void {
  fc.assert(property, { seed: SEED, numRuns: runs })
}

export async function assertAsyncProperty<Values>(
  property: fc.IAsyncProperty<Values>,
  runs = DEFAULT_RUNS,
): Promise<void> {
  await fc.assert(property, { seed: SEED, numRuns: runs })
}

/** Text of any UTF-16 units: control characters, halves of surrogate pairs, and what has a meaning somewhere. */
export const anyText = (maxLength = 30): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.integer({ min: 0x20, max: 0x7e }),
        fc.integer({ min: 0, max: 0xffff }),
        fc.constantFrom(
          ...Array.from('\0\t\n\r\u0085\u2028\ud83d\udc5f\ufffe&<>"\'\\:;=%+', (unit) => unit.charCodeAt(0)),
        ),
      ),
      { maxLength },
    )
    .map((units) => String.fromCharCode(...units))

/** Text that the databases store as it is. */
export const storableText = (maxLength = 30): fc.Arbitrary<string> =>
  anyText(maxLength).map((text) => text.replaceAll('\0', '').toWellFormed())
