import { _, type Ajv, type KeywordCxt, str } from 'ajv'

type Extensible = Pick<Ajv, 'addKeyword' | 'removeKeyword'>

/**
 * Has a validator count the characters of a text only if the number of its units of UTF-16 does not say enough. Ajv counts
 * those of every text, which takes 4 microseconds for a request for a token, and 10 milliseconds for a large listing.
 */
export function countFewTexts<Validator extends Extensible>(ajv: Validator): Validator {
  replaceKeyword(ajv, 'maxLength', 'more', (length, limit, count) => _`${length} > ${limit} && ${count} > ${limit}`)
  // A character has two units at most.
  replaceKeyword(
    ajv,
    'minLength',
    'fewer',
    (length, limit, count) => _`${length} < 2 * ${limit} && ${count} < ${limit}`,
  )
  return ajv
}

type Code = ReturnType<typeof _>

function replaceKeyword(
  ajv: Extensible,
  keyword: 'maxLength' | 'minLength',
  comparison: 'more' | 'fewer',
  isViolated: (length: Code, limit: KeywordCxt['schemaCode'], count: Code) => Code,
): void {
  ajv.removeKeyword(keyword)
  ajv.addKeyword({
    keyword,
    type: 'string',
    schemaType: 'number',
    before: keyword === 'maxLength' ? 'minLength' : 'pattern',
    error: {
      message: ({ schemaCode }) => str`must NOT have ${comparison} than ${schemaCode} characters`,
      params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
    },
    code(context: KeywordCxt) {
      const { data, schemaCode, gen } = context
      const count = gen.scopeValue('func', { ref: countCharacters })
      context.fail(isViolated(_`${data}.length`, schemaCode, _`${count}(${data})`))
    },
  })
}

/** A character beyond the first 65,536 is a pair of units. */
function countCharacters(text: string): number {
  let count = 0
  for (const _character of text) count++
  return count
}
