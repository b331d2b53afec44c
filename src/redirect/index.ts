// `node --import souk/redirect app.js`: requests of the process to the vendor's hosts arrive at Souk. It has no
// dependencies and runs on older versions of Node.js, because it is loaded into other programs.
import { isMainThread } from 'node:worker_threads'
import { patchSockets } from './patch-sockets.ts'
import { bypassProxies } from './proxies.ts'
import { createFindTarget, readTargets, type Targets } from './targets.ts'

const targets = readTargetsOrExit()
patchSockets(createFindTarget(process.env))
bypassProxies(process.env)
announce(targets)

function readTargetsOrExit(): Targets {
  try {
    return readTargets(process.env)
  } catch (error) {
    console.error(`souk/redirect: ${(error as Error).message}`)
    process.exit(1)
  }
}

/** Once per process tree: threads and child processes inherit the variable. */
function announce({ url, queueUrl }: Targets): void {
  if (process.env.SOUK_REDIRECT_QUIET || !isMainThread) return
  process.stderr.write(
    `souk/redirect: requests to the API, token and S3 hosts of the Selling Partner API go to ${url}, to SQS hosts to ${queueUrl}\n`,
  )
  process.env.SOUK_REDIRECT_QUIET = '1'
}
