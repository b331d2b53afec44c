import { service } from '../api/client.ts'
import { useAct } from './act.ts'

export const useCancelReport = () =>
  useAct({
    run: (reportId: string) =>
      service.DELETE('/reports/2021-06-30/reports/{reportId}', { params: { path: { reportId } } }),
    done: 'The report is cancelled.',
    changes: [['reports']],
  })
