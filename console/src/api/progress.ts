import { useEffect, useRef, useState } from 'react'

export interface Progress {
  task: string
  done: number
  total?: number
  message?: string
}

/**
 * How far background work is, from the moment in which it is watched until nothing is due any more. Then `onIdle` is
 * called, which ends the watch.
 */
export function useProgress(isWatched: boolean, onIdle: () => void): readonly Progress[] {
  const [tasks, setTasks] = useState<readonly Progress[]>([])
  const idle = useRef(onIdle)
  idle.current = onIdle
  useEffect(() => {
    if (!isWatched) return
    const source = new EventSource('/_souk/progress?until=idle')
    const end = () => {
      source.close()
      setTasks([])
      idle.current()
    }
    const replace = (progress: Progress, isOver: boolean) =>
      setTasks((known) => [...known.filter(({ task }) => task !== progress.task), ...(isOver ? [] : [progress])])
    source.addEventListener('progress', ({ data }) => replace(JSON.parse(data), false))
    source.addEventListener('end', ({ data }) => replace(JSON.parse(data), true))
    source.addEventListener('idle', end)
    // The browser would connect again, but the work may be over by then.
    source.onerror = end
    return () => source.close()
  }, [isWatched])
  return tasks
}
