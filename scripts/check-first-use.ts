// The first use of the package: in an empty folder, with an unmodified client and programs of the documentation.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkOlderNode, type PackedPackage } from './check-package.ts'
import { findOlderNode } from './older-node.ts'

/** What a project needs besides the package. */
export const FIRST_USE_PACKAGES = ['vitest', 'amazon-sp-api']

export function checkFirstUse(packed: PackedPackage): void {
  const { project, repository, env } = packed
  const write = (name: string, page: string, language: string, index: number) => {
    const text = readFileSync(join(repository, 'docs/clients', page), 'utf8')
    const blocks = [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))]
    const [, program] = blocks[index] ?? []
    if (!program) throw new Error(`${page} has no program ${index} in ${language}`)
    writeFileSync(join(project, name), program)
  }
  const run = (...command: string[]): string => {
    const { status, stdout, stderr } = spawnSync('npx', ['--no-install', ...command], {
      cwd: project,
      env,
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`${command.join(' ')}: ${stdout}${stderr}`)
    return stdout
  }
  write('report.test.js', 'amazon-sp-api.md', 'js', 1)
  run('vitest', 'run')
  console.log('test:install: amazon-sp-api downloads a report in a Vitest test')
  const older = findOlderNode()
  if (older) checkOlderNode(older, packed, 'souk/vitest')
  write('report.py', 'plain-http.md', 'python', 0)
  const output = run('souk', 'run', '--', 'python3', 'report.py')
  if (!/^listings: [1-9]\d*\n$/.test(output)) throw new Error(`souk run -- python3 report.py printed ${output}`)
  console.log('test:install: a Python script downloads a report with souk run')
}
