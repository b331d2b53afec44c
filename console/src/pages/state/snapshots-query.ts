import { queryOptions } from '@tanstack/react-query'
import { bodyOf, controlPlane } from '../../api/client.ts'

export const snapshotsQuery = queryOptions({
  queryKey: ['snapshots'],
  queryFn: async () => (await bodyOf(controlPlane.GET('/_souk/snapshots'))).snapshots,
})
