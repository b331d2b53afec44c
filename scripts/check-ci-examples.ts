// Runs the commands of examples/ci in a project that has the package, as a CI service would.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { parse } from 'yaml'
import type { PackedPackage } from './check-package.ts'

interface Step {
  run?: string
  env?: Record<string, string>
  if?: string
}

// The project is installed already.
const isInstall = (line: string) => line.startsWith('npm ci')

const PROJECT = {
  private: true,
  scripts: {
    test: `node -e "fetch(process.env.SP_API_ENDPOINT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1))"`,
  },
}

export async function checkCiExamples({ project, repository, env }: PackedPackage): Promise<void> {
  writeFileSync(join(project, 'package.json'), JSON.stringify(PROJECT))
  for (const name of ['github-actions.yml', 'gitlab-ci.yml']) {
    const { lines, variables } = commandsOf(parse(readFileSync(join(repository, 'examples/ci', name), 'utf8')))
    const port = await freePort()
    // Other ports than the documented ones, which may be in use here.
    const adapt = (text: string) =>
      text.replaceAll('4700', String(port)).replace('souk dev', `souk dev --port ${port} --queue-port 0 --fresh`)
    // A background job of its own group: npx would leave the stand-in behind.
    const script = ['set -em', "trap 'kill -- -$!' EXIT", ...lines.map(adapt)].join('\n')
    const settings = Object.fromEntries(Object.entries(variables).map(([key, value]) => [key, adapt(value)]))
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: project,
      env: { ...env, ...settings },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${name}: ${stdout}${stderr}${readFileSync(join(project, 'souk.log'), 'utf8')}`)
    console.log(`test:install: the commands of ${name} run`)
  }
}

/** Of the job that starts a stand-in. */
function commandsOf(pipeline: Record<string, unknown>): { lines: string[]; variables: Record<string, string> } {
  const { jobs } = pipeline as { jobs?: Record<string, { steps: Step[] }> }
  if (jobs) {
    const steps = (jobs['next-to-tests']?.steps ?? []).filter((step) => step.run && step.if === undefined)
    const lines = steps.map((step) => step.run as string).filter((run) => !isInstall(run))
    return { lines, variables: Object.assign({}, ...steps.map((step) => step.env)) }
  }
  const job = pipeline['next-to-tests'] as { script: string[]; variables: Record<string, string> }
  return { lines: job.script, variables: job.variables }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
