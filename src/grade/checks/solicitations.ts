import { type Check, judgeEach } from '../check.ts'
import { type Call, succeeded } from '../pass.ts'

const OPERATION = 'createProductReviewAndSellerFeedbackSolicitation'

export const solicitationsAreNotRepeated: Check = {
  name: 'solicitations',
  title: 'A buyer is asked for a review once',
  judge: (passes) =>
    judgeEach(passes, 'solicitations', ({ calls }) => {
      const solicitations = calls.filter(({ operation }) => operation === OPERATION)
      // A client that saw no response has to ask again.
      const isKnownToBeSent = (call: Call) => succeeded(call) && !call.isFaulty
      const repeated = solicitations.filter((call) =>
        solicitations
          .slice(0, solicitations.indexOf(call))
          .some(
            (earlier) => earlier.endedAt <= call.startedAt && earlier.path === call.path && isKnownToBeSent(earlier),
          ),
      )
      return {
        cases: solicitations.length,
        violations: repeated.map((call) => ({
          call,
          message: `The order ${call.subjects.orderId?.[0] ?? ''} had one already. Check getSolicitationActionsForOrder.`,
        })),
      }
    }),
}
