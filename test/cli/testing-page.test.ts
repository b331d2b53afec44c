import { execFile, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, expect, inject, test } from 'vitest'
import { COMMANDS_TIMEOUT_MILLISECONDS, codeBlocks } from '../support/documented-commands.ts'
import { startDev, temporaryFolder } from '../support/souk-process.ts'

const PAGE = 'docs/testing.md'
const hasNoPytest = spawnSync('python3', ['-m', 'pytest', '--version']).status !== 0

interface Report {
  numPassedTests: number
  testResults: { assertionResults: { failureMessages: string[] }[] }[]
}

// Inside the project, because the tests import Vitest.
const project = resolve('.test-build', `vitest-project-${process.pid}`)
afterAll(() => rmSync(project, { recursive: true, force: true }))

test(
  'the tests of the README and of its page pass with Vitest',
  async () => {
    const blocks = [...codeBlocks('README.md', 'ts'), ...codeBlocks(PAGE, 'ts')]
    expect(blocks).toHaveLength(3)
    mkdirSync(project, { recursive: true })
    for (const [index, block] of blocks.entries()) writeFileSync(join(project, `example-${index}.test.ts`), block)
    const published = resolve(inject('soukCommand'), '../../vitest/index.js')
    const config = {
      resolve: { alias: { 'souk/vitest': published } },
      // As an installed package: it is not transformed.
      test: { root: project, testTimeout: 60_000, server: { deps: { external: [published] } } },
    }
    writeFileSync(join(project, 'vitest.config.mjs'), `export default ${JSON.stringify(config)}`)
    const report = join(project, 'report.json')
    const args = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--root',
      project,
      '--reporter',
      'json',
      '--outputFile',
      report,
    ]
    // A failed test is a failed command.
    await promisify(execFile)(process.execPath, args).catch(() => {})
    const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
    const failures = testResults.flatMap(({ assertionResults }) =>
      assertionResults.flatMap((one) => one.failureMessages),
    )
    expect({ numPassedTests, failures }).toEqual({ numPassedTests: 4, failures: [] })
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)

test.skipIf(hasNoPytest)(
  'the tests of the README and of the page pass with pytest, and leave no fork behind, and also without a fork',
  async () => {
    const folder = temporaryFolder()
    const [fixtures = '', tests = ''] = codeBlocks(PAGE, 'python')
    writeFileSync(join(folder, 'conftest.py'), fixtures)
    writeFileSync(join(folder, 'test_orders.py'), tests)
    writeFileSync(join(folder, 'test_readme.py'), codeBlocks('README.md', 'python').join('\n'))
    const { url } = await startDev(temporaryFolder())
    const args = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', folder]
    const env = { ...process.env, SOUK_URL: url, PYTHONDONTWRITEBYTECODE: '1' }
    const run = async (settings: object) => {
      const options = { cwd: folder, env: { ...env, ...settings } }
      return (await promisify(execFile)('python3', args, options).catch((error) => error)).stdout
    }
    expect(await run({})).toMatch(/^3 passed in /m)
    const { forks } = (await (await fetch(`${url}/_souk/forks`)).json()) as { forks: unknown[] }
    expect(forks).toEqual([])
    await fetch(`${url}/_souk/faults`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ action: { kind: 'status', status: 503 } }),
    })
    // A container does not publish the ports of forks. The reset removes the rule.
    expect(await run({ SOUK_FORK: '0' })).toMatch(/^3 passed in /m)
    expect(((await (await fetch(`${url}/_souk/faults`)).json()) as { faults: unknown[] }).faults).toEqual([])
  },
  COMMANDS_TIMEOUT_MILLISECONDS,
)
