import { type Check, judgeEach } from '../check.ts'
import { type Call, succeeded } from '../pass.ts'

const FORBIDDEN = 403
const LINK_OPERATIONS = ['getReportDocument', 'getFeedDocument']

const documentOf = ({ subjects }: Call) => subjects.documentId?.[0]

export const expiredLinksAreRefreshed: Check = {
  name: 'links',
  title: 'An expired link of a document is replaced by a new one',
  judge: (passes) =>
    judgeEach(passes, 'refused downloads', ({ calls }) => {
      const isDownload = ({ operation }: Call) => operation === 'downloadDocument'
      const refused = calls.filter((call) => isDownload(call) && call.status === FORBIDDEN)
      const isReplaced = (call: Call) => {
        const isOfSame = (other: Call) => documentOf(other) === documentOf(call)
        const asked = calls.find(
          (other) => other.startedAt >= call.endedAt && LINK_OPERATIONS.includes(other.operation) && isOfSame(other),
        )
        return calls.some(
          (other) =>
            asked && other.startedAt >= asked.endedAt && isDownload(other) && isOfSame(other) && succeeded(other),
        )
      }
      return {
        cases: refused.length,
        violations: refused
          .filter((call) => !isReplaced(call))
          .map((call) => ({ call, message: 'No new link was requested and downloaded afterward.' })),
      }
    }),
}
