import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { bodyOf, controlPlane } from './client.ts'

export const clockQuery = queryOptions({
  queryKey: ['clock'],
  queryFn: async () => ({ ...(await bodyOf(controlPlane.GET('/_souk/clock'))), readAt: performance.now() }),
  refetchInterval: 5_000,
})

/** The time of the marketplace, which runs on between two readings of its clock. */
export function useMarketplaceTime(): { now: Date; isFrozen: boolean } | undefined {
  const { data } = useQuery(clockQuery)
  const [, redraw] = useState(0)
  const isRunning = data !== undefined && !data.frozen
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(() => redraw((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [isRunning])
  if (!data) return undefined
  const passed = data.frozen ? 0 : performance.now() - data.readAt
  return { now: new Date(Date.parse(data.now) + passed), isFrozen: data.frozen }
}
