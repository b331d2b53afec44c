import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startProcesses } from '../support/service-processes.ts'
import { runSouk, type SoukProcess, startSoukProcess } from '../support/souk-process.ts'
import { waitFor } from '../support/wait-for.ts'

const PROCESSES = 2

async function startServe(settings: Record<string, string> = {}): Promise<{ souk: SoukProcess; url: string }> {
  const { env } = await startProcesses({ leaseSeconds: 30, env: settings })
  const souk = startSoukProcess(['serve', '--processes', String(PROCESSES)], { env })
  await souk.waitFor(/"msg":"all processes listening"/)
  const [, url = ''] = await souk.waitFor(/"url":"([^"]+)","msg":"server listening"/)
  return { souk, url }
}

/** On a new connection, so that any process may get it. */
const fetchAnew = (url: string) => fetch(url, { headers: { connection: 'close' } })

const pidsIn = (log: string) => [...log.matchAll(/"pid":(\d+),"msg":"process started"/g)].map(([, pid]) => Number(pid))

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

const countHealthChecks = (metrics: string) =>
  Number(/^souk_requests_total\{operation="getHealth",status="200"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)

test('several processes serve one port, and a scrape of any of them counts the requests of all', async () => {
  const { url } = await startServe()
  for (let count = 0; count < 4 * PROCESSES; count++) expect((await fetchAnew(`${url}/healthz`)).status).toBe(200)
  for (let scrape = 0; scrape < PROCESSES; scrape++) {
    const metrics = await (await fetchAnew(`${url}/metrics`)).text()
    expect(countHealthChecks(metrics)).toBe(4 * PROCESSES)
    // Connections of all processes, but jobs of the one database.
    expect(metrics).toMatch(new RegExp(`^souk_database_pool_size ${10 * PROCESSES}$`, 'm'))
    expect(metrics).toMatch(/^souk_jobs_queued 0$/m)
  }
})

test('a process that is killed is replaced, while the others go on, and what it counted still counts', async () => {
  const { souk, url } = await startServe()
  const { 0: log } = await souk.waitFor(/[\s\S]*all processes listening/)
  const [victim = 0] = pidsIn(log)
  for (let count = 0; count < 2 * PROCESSES; count++) await fetchAnew(`${url}/healthz`)
  expect(countHealthChecks(await (await fetchAnew(`${url}/metrics`)).text())).toBe(2 * PROCESSES)
  process.kill(victim, 'SIGKILL')
  await souk.waitFor(/"signal":"SIGKILL","msg":"process ended"/)
  // The process that replaces it starts after the others, and listens to the same port.
  await souk.waitFor(new RegExp(`(?:"msg":"server listening"[\\s\\S]*){${PROCESSES + 1}}`))
  for (let count = 0; count < 2 * PROCESSES; count++) expect((await fetchAnew(`${url}/readyz`)).status).toBe(200)
  expect(countHealthChecks(await (await fetchAnew(`${url}/metrics`)).text())).toBe(2 * PROCESSES)
  const { code } = await souk.stop()
  expect(code).toBe(0)
})

test('connections above the limit of all processes are closed', async () => {
  const { url } = await startServe({ SOUK_MAX_CONNECTIONS: '1' })
  const { hostname, port } = new URL(url)
  const open = Array.from({ length: PROCESSES + 2 }, () => connect(Number(port), hostname).resume())
  for (const socket of open) socket.on('error', () => {})
  await waitFor(
    async () => open.filter((socket) => socket.closed).length,
    (closed) => closed === 2,
  )
  for (const socket of open) socket.destroy()
})

test('a stop signal ends all of them with exit code 0, after the requests under way', async () => {
  const { souk, url } = await startServe({ SOUK_DRAIN_SECONDS: '1' })
  const agents = Array.from({ length: PROCESSES }, () => new Agent({ keepAlive: true }))
  const ask = (agent: Agent) =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${url}/healthz`, { agent }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      }).on('error', reject)
    })
  await Promise.all(agents.map(ask))
  const ending = souk.stop()
  await souk.waitFor(/"msg":"draining"/)
  expect(await Promise.all(agents.map(ask))).toEqual(agents.map(() => 200))
  const { code, stdout, stderr } = await ending
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).not.toContain('process ended')
  expect(pidsIn(stdout).filter(isRunning)).toEqual([])
})

test('a stop signal that reaches every process, as that of Ctrl-C does, is one signal and not two', async () => {
  const { souk, url } = await startServe({ SOUK_DRAIN_SECONDS: '1' })
  const { 0: log } = await souk.waitFor(/[\s\S]*all processes listening/)
  const ending = souk.stop()
  await souk.waitFor(/(?:"msg":"draining"[\s\S]*){2}/)
  for (const pid of pidsIn(log)) process.kill(pid, 'SIGTERM')
  expect((await fetchAnew(`${url}/healthz`)).status).toBe(200)
  const { code, stderr } = await ending
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
})

test('a second stop signal ends all of them at once', async () => {
  const { souk } = await startServe({ SOUK_DRAIN_SECONDS: '3600' })
  souk.signal('SIGTERM')
  await souk.waitFor(/"msg":"draining"/)
  const { code, stdout } = await souk.stop()
  expect(code).toBe(1)
  await waitFor(
    async () => pidsIn(stdout).filter(isRunning),
    (running) => running.length === 0,
  )
})

test('none of them outlives the first process', async () => {
  const { souk, url } = await startServe()
  const { stdout } = await souk.stop('SIGKILL')
  await waitFor(
    async () => pidsIn(stdout).filter(isRunning),
    (running) => running.length === 0,
  )
  await expect(fetchAnew(url)).rejects.toThrow()
})

test('an error that all would have is printed once', async () => {
  const { env } = await startProcesses({ leaseSeconds: 30 })
  const unreachable = { ...env, SOUK_DATABASE_URL: 'postgres://127.0.0.1:1/nothing' }
  const { code, stderr } = await runSouk(['serve', '--processes', '3'], { env: unreachable })
  expect(code).toBe(1)
  expect(stderr.match(/SOUK_DATABASE_URL/g)).toHaveLength(1)
})

test('a setting that is wrong is named before any process starts', async () => {
  const { env } = await startProcesses({ leaseSeconds: 30 })
  const { code, stderr } = await runSouk(['serve', '--processes', '2'], { env: { ...env, SOUK_PORT: 'x' } })
  expect(code).toBe(1)
  expect(stderr).toMatch(/^souk: SOUK_PORT [^\n]+\n$/)
})

test.each(['0', '65', 'many'])('%s is not a number of processes', async (processes) => {
  const { code, stderr } = await runSouk(['serve', '--processes', processes])
  expect(code).toBe(2)
  expect(stderr).toContain('--processes')
})
