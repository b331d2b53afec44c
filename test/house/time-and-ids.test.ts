import { expect, test } from 'vitest'
import { sourceFiles, withoutComments } from './source-files.ts'

const REAL_TIME =
  /\bDate\.now\(|\bnew Date\(\s*\)|\bnew Date\b(?!\()|\bsetTimeout\b|\bsetInterval\b|\bperformance\.now\b|\bhrtime\b/
const CHANCE = /\brandomUUID\b|\brandomBytes\b|\brandomInt\b|\bgetRandomValues\b|\bMath\.random\b/

// Each with the reason why the clock port will not do.
const ALLOWED_REAL_TIME: Record<string, string> = {
  'cli/grade.ts': 'A command takes real time.',
  'cli/processes/group.ts': 'A process that ends soon after its start is replaced after real seconds.',
  'cli/run-command.ts': 'A command that does not end must be killed in real seconds.',
  'cli/run-until-signal.ts': 'A stop that hangs must end in real seconds, whatever the clock of the marketplace.',
  'cli/serve.ts': 'A load balancer takes real seconds to notice that a process is about to stop.',
  'http/connection.ts': 'Clients read in real time.',
  'http/event-stream.ts': 'Clients read in real time.',
  'http/gate.ts': 'Clients send and read in real time.',
  'http/connections.ts': 'Clients send and read in real time.',
  'dev/faults/latency.ts': 'Clients wait for a slow response in real time.',
  'dev/overview/activity.ts':
    'Clients send requests in real time, also while the clock of the marketplace stands still.',
  'dev/progress/progress-stream.ts': 'Readers wait in real time, also while the clock of the marketplace stands still.',
  'dev/proxy/tunnels.ts': 'Other hosts respond in real time.',
  'dev/queue/polls.ts': 'Consumers wait in real time, also while the clock of the marketplace stands still.',
  'dev/requests/pace.ts': 'Watchers read in real time.',
  'dev/requests/capture.ts':
    'Clients send and wait in real time, also while the clock of the marketplace stands still.',
  'dev/requests/verify/log-waits.ts':
    'Clients send requests in real time, also while the clock of the marketplace stands still.',
  'platform/aws/deadlines.ts': 'A network responds in real time, whatever the clock of the marketplace.',
  'platform/aws/http-poster.ts': 'A network responds in real time, whatever the clock of the marketplace.',
  'platform/in-slices.ts': 'Other work of the process waits in real time.',
  'platform/deadline.ts': 'Callers of dependencies, and scrapers, wait in real time.',
  'platform/database/postgres-database.ts': 'Other processes finish their transactions in real time.',
  'platform/database/postgres-lost-connections.ts': 'Statements take real time.',
  'platform/database/postgres-pool.ts': 'Work waits for a connection in real time.',
  'platform/database/postgres-replica.ts': 'A replica catches up in real time.',
  'platform/database/postgres-retries.ts': 'Other processes finish their transactions in real time.',
  'platform/database/postgres-silence.ts': 'PostgreSQL responds in real time.',
  'platform/database/postgres-watchdog.ts': 'PostgreSQL responds in real time.',
  'platform/database/replica-monitor.ts': 'A replica fails and falls behind in real time.',
  'platform/database/schema-locks.ts': 'Other processes finish their transactions in real time.',
  'platform/database/sqlite-database.ts': 'Another connection holds its lock in real time.',
  'platform/database/step-size.ts': 'A step keeps other writers waiting in real time.',
  'platform/ids/random-ids.ts': 'Ids that sort by creation time are not read as times.',
  'platform/documents/retention.ts': 'Files have real times, and another thread may be writing them.',
  'platform/logging/block-output.ts': 'Lines must reach the reader within real time.',
  'platform/logging/request-log.ts': 'Logs contain real times, as all other lines of pino do.',
  'platform/jobs/next-runs.ts': 'Reading many jobs takes real time, also while the clock stands still.',
  'platform/jobs/suspended-kinds.ts': 'A dependency recovers in real time, also while the clock stands still.',
  'platform/messaging/sqs-requests.ts': 'AWS checks the time of a signature in real time.',
  'platform/metrics/cached.ts': 'Scrapers come in real time.',
  'platform/metrics/timed.ts': 'Calls take real time.',
  'platform/tracing/otlp-exporter.ts': 'A collector responds in real time.',
  'platform/tracing/otlp-tracer.ts': 'Traces of several services are put together by real times.',
  'platform/throttle/quota-server.ts': 'Another server responds in real time.',
  'worker/thread-background.ts': 'A crashed thread restarts in real time, also while the clock stands still.',
  'redirect/patch-sockets.ts': 'It sets the timeout of a socket in the name of its user.',
}

const ALLOWED_CHANCE: Record<string, string> = {
  'platform/backoff.ts': 'Jitter is neither an id nor a secret, and no visible result depends on it.',
}

function filesThatUse(pattern: RegExp, home: string): string[] {
  return sourceFiles()
    .filter(({ path, text }) => !path.startsWith(home) && pattern.test(withoutComments(text)))
    .map(({ path }) => path)
    .sort()
}

test('time comes only from the clock, so that moving the clock moves everything', () => {
  expect(filesThatUse(REAL_TIME, 'platform/clock/')).toEqual(Object.keys(ALLOWED_REAL_TIME).sort())
})

test('ids and secrets come from the ids port alone, so that a test can foresee them', () => {
  expect(filesThatUse(CHANCE, 'platform/ids/')).toEqual(Object.keys(ALLOWED_CHANCE))
})

test.each(['Date.now()', 'new Date()', 'new Date', 'setTimeout(f, 1)', 'setInterval(f, 1)', 'performance.now()'])(
  '%s counts as real time',
  (code) => {
    expect(REAL_TIME.test(code)).toBe(true)
  },
)

test('a date created from a value does not count as real time', () => {
  expect(REAL_TIME.test('new Date(text).getTime()')).toBe(false)
})
