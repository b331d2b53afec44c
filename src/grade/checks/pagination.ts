import { type Check, judgeEach } from '../check.ts'
import { type Call, succeeded } from '../pass.ts'

export const listsAreReadToTheEnd: Check = {
  name: 'pagination',
  title: 'Lists are read to their last page',
  judge: (passes) =>
    judgeEach(passes, 'pages with a next one', ({ calls }) => {
      const pages = calls.flatMap((call) => {
        const token = succeeded(call) ? call.nextToken : undefined
        return token === undefined ? [] : [{ call, token }]
      })
      const used = new Set(calls.flatMap(tokensUsedBy))
      return {
        cases: pages.length,
        // The token may be in the part that is missing.
        unknown: calls.filter((call) => call.isCut && isList(call)).length,
        violations: pages
          .filter(({ token }) => !used.has(token))
          .map(({ call }) => ({ call, message: `${call.operation} was not continued after this page.` })),
      }
    }),
}

const isList = ({ operation }: Call) => /^(get|search)\w+s(BuyerInfo)?$/.test(operation)

const tokensUsedBy = ({ query }: Call): string[] =>
  [...query].flatMap(([name, value]) => (/^(next|page|pagination)token$/i.test(name) ? [value] : []))
