import type { ActionContext } from './action-context.ts'
import { isSuccess } from './client.ts'
import { START_TIME, US } from './marketplace.ts'
import type { ClientAction } from './steps.ts'

const REPORTS = '/reports/2021-06-30/reports'

type ReportAction = Extract<ClientAction, { do: 'readReport' | 'cancelReport' }>

export function createReportActions({ client, history, scheduler }: ActionContext) {
  return {
    async report({ seller, type }: Extract<ClientAction, { do: 'report' }>, step: number) {
      const invokedAt = scheduler.turn
      const body = { reportType: type, marketplaceIds: [US], dataStartTime: START_TIME }
      const reply = await client.send(seller, 'POST', REPORTS, body)
      if (!isSuccess(reply)) return
      const { reportId } = reply.json() as { reportId: string }
      history.reports.set(step, { seller, type, reportId, invokedAt, isCanceled: false })
    },

    async readReport({ seller, report }: ReportAction) {
      const created = history.reports.get(report)
      if (created) await client.send(seller, 'GET', `${REPORTS}/${created.reportId}`)
    },

    async cancelReport({ seller, report }: ReportAction) {
      const created = history.reports.get(report)
      if (!created) return
      const reply = await client.send(seller, 'DELETE', `${REPORTS}/${created.reportId}`)
      if (isSuccess(reply) || reply === 'lost') created.isCanceled = true
    },
  }
}
