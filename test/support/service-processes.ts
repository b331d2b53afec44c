import { pathToFileURL } from 'node:url'
import { createPostgresDatabase } from './databases.ts'
import { type SoukProcess, startSoukProcess, temporaryFolder } from './souk-process.ts'
import { readPostgresState } from './stored-state.ts'

/** `souk dev` on a folder, without quotas. */
export function startDevIn(folder: string, { delay }: { delay: number }): SoukProcess {
  const args = ['--port', '0', '--rates', 'off', '--delay', String(delay), '--data', folder]
  return startSoukProcess(['dev', ...args])
}

export const urlOf = async (dev: SoukProcess) => (await dev.waitFor(/^ {2}address +(http:\S+)$/m))[1] as string

export interface ProcessesOptions {
  /** At least 3. A call of AWS takes less than half of it. */
  leaseSeconds: number
  /** Default: a new one on the server of this test run. */
  databaseUrl?: string
  env?: Record<string, string>
}

/** Starts processes that share a database and a documents folder. */
export async function startProcesses({ leaseSeconds, databaseUrl, env: moreEnv }: ProcessesOptions) {
  const documents = temporaryFolder()
  const env = {
    SOUK_DATABASE_URL: databaseUrl ?? (await createPostgresDatabase('schema')),
    SOUK_DOCUMENTS_URL: pathToFileURL(documents).href,
    SOUK_PUBLIC_URL: 'https://souk.example',
    SOUK_OPERATOR_KEY: 'an-operator-key-for-tests',
    SOUK_SIGNING_SECRET: 'a-signing-secret-for-tests',
    SOUK_HOST: '127.0.0.1',
    SOUK_PORT: '0',
    SOUK_RATES: 'off',
    SOUK_WORKER_LEASE_SECONDS: String(leaseSeconds),
    SOUK_AWS_TIMEOUT_SECONDS: String(Math.min(5, Math.ceil(leaseSeconds / 2) - 1)),
    SOUK_WORKER_CONCURRENCY: '2',
    ...moreEnv,
  }
  return {
    env,
    remains: readPostgresState(env.SOUK_DATABASE_URL, documents),
    async startServe() {
      const serve = startSoukProcess(['serve'], { env })
      const [, url = ''] = await serve.waitFor(/"url":"([^"]+)","msg":"server listening"/)
      return { serve, url }
    },
    startWorker: () => startSoukProcess(['worker'], { env }),
  }
}
