import { useMutation, useQueryClient } from '@tanstack/react-query'
import { notifyDone, notifyError } from './notify.ts'

interface ActOptions<Input, Result> {
  run(input: Input): Promise<Result>
  /** What the viewer reads when it worked. */
  done?: string | ((result: Result, input: Input) => string)
  /** The keys of the queries whose data it changes. Default: everything on the page. */
  changes?: readonly (readonly unknown[])[]
  onDone?(result: Result, input: Input): void
  /** For a form that shows its error itself. */
  isErrorShown?: boolean
}

/** Something that a click does: reports the outcome and loads again what it changed. */
export function useAct<Input = void, Result = unknown>({
  run,
  done,
  changes = [[]],
  onDone,
  isErrorShown = false,
}: ActOptions<Input, Result>) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: run,
    onSuccess: async (result, input) => {
      if (done !== undefined) notifyDone(typeof done === 'string' ? done : done(result, input))
      onDone?.(result, input)
      await Promise.all(changes.map((queryKey) => queries.invalidateQueries({ queryKey: [...queryKey] })))
    },
    onError: isErrorShown ? undefined : notifyError,
  })
}
