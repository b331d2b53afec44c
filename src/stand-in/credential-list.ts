import { type DemoCredentials, demoApplications, demoWith } from '../dev/demo/index.ts'
import type { OpenedSeed } from '../dev/seed/index.ts'
import type { CredentialsOfFork, ForkCredentials } from '../dev/state/fork-credentials.ts'
import type { Gate } from '../http/gate.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'

/** Real time that a list waits for exclusive work. */
const WAIT_MILLISECONDS = 500

/** Lists the credentials that a fork has now, or that a marketplace started with. */
export function createCredentialList({
  credentials,
  forkCredentials,
  seed,
  gate,
  database,
  clock,
  waitMilliseconds = WAIT_MILLISECONDS,
}: {
  credentials: DemoCredentials
  forkCredentials: Pick<CredentialsOfFork, 'list'> | undefined
  seed: OpenedSeed | undefined
  gate: Gate
  database: Pick<Database, 'read'>
  clock: Pick<Clock, 'now'>
  waitMilliseconds?: number
}): () => Promise<ForkCredentials> {
  let last: ForkCredentials | undefined
  return async () => {
    if (!forkCredentials) {
      const applications = seed?.credentials ?? demoApplications(credentials)
      return { demo: demoWith(credentials), applications, operatorKey: credentials.operatorKey }
    }
    // During a reset, there may be no applications. It is short, but an import may take long, and others wait for the list.
    if (last && !(await gate.isOpenWithin(waitMilliseconds))) return last
    await gate.whenOpen()
    last = await database.read((reader) => forkCredentials.list(reader, clock.now()))
    return last
  }
}
