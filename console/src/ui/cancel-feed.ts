import { service } from '../api/client.ts'
import { useAct } from './act.ts'

export const useCancelFeed = () =>
  useAct({
    run: (feedId: string) => service.DELETE('/feeds/2021-06-30/feeds/{feedId}', { params: { path: { feedId } } }),
    done: 'The feed is cancelled.',
    changes: [['feeds']],
  })
