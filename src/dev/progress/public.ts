// The progress of long work as `startSouk` has it. Users compile these types, so they refer to no dependency.

/** How far a piece of long work is. */
export interface Progress {
  /** What is being done, such as `import` or `life`. Unique among the work of one moment. */
  task: string
  done: number
  /** Absent if it is not known. */
  total?: number
  message?: string
}

export interface ProgressUpdate extends Progress {
  /** `end`: the task is over. The rest is the last state before. */
  event: 'progress' | 'end'
}

export interface ProgressOptions {
  /** End when no background work is due. Default: never. */
  until?: 'idle'
}

/**
 * Reports long work, such as a living market after a jump of the clock, a few times a second. A slow loop skips states.
 * Ends with the marketplace, or when the loop is left.
 */
export type WatchProgress = (options?: ProgressOptions) => AsyncIterableIterator<ProgressUpdate>
