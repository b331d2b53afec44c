import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

const STOP_WITHIN_MILLISECONDS = 15_000
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Sees to it that a child process does not outlive the bench. */
export function watchChild(child: ChildProcess): void {
  running.add(child)
  child.once('exit', () => running.delete(child))
}

export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  const impatient = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MILLISECONDS)
  child.kill('SIGTERM')
  await exited
  clearTimeout(impatient)
}

export interface ChildService<Question, Answer> extends AsyncDisposable {
  ask(question: Question): Promise<Answer>
}

/** Starts one of our scripts in a separate process, which answers questions one at a time. */
export function startChildService<Question extends object, Answer>(
  script: string,
  args: string[] = [],
  standardOutput = 2,
): ChildService<Question, Answer> {
  const child = fork(new URL(script, import.meta.url), args, { stdio: ['ignore', standardOutput, 2, 'ipc'] })
  watchChild(child)
  return {
    ask(question) {
      return new Promise((resolve, reject) => {
        const answered = (answer: unknown) => {
          child.off('exit', ended)
          resolve(answer as Answer)
        }
        const ended = () => {
          child.off('message', answered)
          reject(new Error(`${script} ended instead of answering`))
        }
        child.once('message', answered)
        child.once('exit', ended)
        child.send(question, (error) => error && reject(error))
      })
    },
    [Symbol.asyncDispose]: () => stopChild(child),
  }
}
