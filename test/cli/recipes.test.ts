import { execFile, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { NODE_COMPILE_CACHE } from '../support/compile-cache.ts'
import { COMMANDS_TIMEOUT_MILLISECONDS, codeBlocks } from '../support/documented-commands.ts'
import { startTestSouk } from '../support/souk.ts'
import { runSouk, temporaryFolder } from '../support/souk-process.ts'

const FOLDER = 'docs/clients'
const PACKAGES = fileURLToPath(new URL('../../node_modules/', import.meta.url))

const VENDOR_SDK = '@amazon-sp-api-release/amazon-sp-api-sdk-js'
const SCALELEAP = '@scaleleap/selling-partner-api-sdk'
const LISTINGS = /^listings: [1-9]\d*\n$/

/** A page, the package of its client, and what its program prints. */
const RECIPES = [
  ['amazon-sp-api.md', 'amazon-sp-api', /^listings: [1-9]\d*\nmessages accepted: 1\n$/],
  ['sp-api-sdk.md', '@sp-api-sdk/reports-api-2021-06-30', /^listings: [1-9]\d*\nfeed: DONE\n$/],
  ['vendor-javascript.md', VENDOR_SDK, LISTINGS],
  ['scaleleap.md', SCALELEAP, LISTINGS],
] as const

const isMissing = (name: string) => !existsSync(join(PACKAGES, name, 'package.json'))
const hasNoPython = spawnSync('python3', ['--version']).status !== 0
const pages = readdirSync(FOLDER).filter((name) => name !== 'README.md')

describe('the program of the recipe', { timeout: COMMANDS_TIMEOUT_MILLISECONDS }, () => {
  const files: string[] = []
  afterEach(() => {
    for (const file of files.splice(0)) rmSync(file)
  })

  /** Writes a program of a page next to the packages that it imports. */
  function writeProgram(page: string, index = 0): string {
    const file = join(PACKAGES, `.${page}-${process.pid}.mjs`)
    writeFileSync(file, programOf(page, 'js', index))
    files.push(file)
    return file
  }

  async function runWithSouk(...command: string[]): Promise<string> {
    // Some clients read credentials from the home folder.
    const { code, stdout, stderr } = await runSouk(['run', '--', ...command], { env: { HOME: temporaryFolder() } })
    expect(code, stderr).toBe(0)
    return stdout
  }

  for (const [page, name, output] of RECIPES) {
    test.skipIf(isMissing(name))(`${page} works with an unmodified client and souk run`, async () => {
      expect(await runWithSouk(process.execPath, writeProgram(page))).toMatch(output)
    })
  }

  test.skipIf(hasNoPython)('plain-http.md works with souk run', async () => {
    const file = join(temporaryFolder(), 'report.py')
    writeFileSync(file, programOf('plain-http.md', 'python'))
    expect(await runWithSouk('python3', file)).toMatch(LISTINGS)
  })

  test.skipIf(isMissing(VENDOR_SDK))("vendor-javascript.md works with the client's own settings", async () => {
    const { url, settings } = await startPlainly()
    const file = writeProgram('vendor-javascript.md', 1)
    expect(await runPlainly(file, { ...settings, SOUK_URL: url })).toBe('marketplaces: 2\n')
  })

  test.skipIf(isMissing(SCALELEAP))("scaleleap.md works with the client's own settings", async () => {
    const { url, settings } = await startPlainly()
    const endpoints = { API_ENDPOINT: url, TOKEN_ENDPOINT: `${url}/auth/o2/token` }
    expect(await runPlainly(writeProgram('scaleleap.md'), { ...settings, ...endpoints })).toMatch(LISTINGS)
  })
})

/** A stand-in, and the credentials with which programs reach it without a redirect. */
async function startPlainly() {
  const { url, demo } = await startTestSouk()
  const settings = {
    LWA_CLIENT_ID: demo.clientId,
    LWA_CLIENT_SECRET: demo.clientSecret,
    LWA_REFRESH_TOKEN: demo.refreshToken,
  }
  return { url, settings }
}

async function runPlainly(file: string, env: Record<string, string>): Promise<string> {
  const options = { env: { NODE_COMPILE_CACHE, ...env }, timeout: COMMANDS_TIMEOUT_MILLISECONDS }
  return (await promisify(execFile)(process.execPath, [file], options)).stdout
}

test('the index lists every page and marks those as tested whose program a test runs', () => {
  const index = readFileSync(join(FOLDER, 'README.md'), 'utf8')
  const rows = [...index.matchAll(/^\| \[.*\]\((.*\.md)\) \|.*?\| (yes|no) \|/gm)]
  expect(rows.map(([, page]) => page).sort()).toEqual(pages.sort())
  const tested = rows.flatMap(([, page, isTested]) => (isTested === 'yes' ? [page] : []))
  expect(tested.sort()).toEqual(testedPages().sort())
})

test.each(pages)('%s says whether a test runs its program', (page) => {
  const text = readFileSync(join(FOLDER, page), 'utf8').replaceAll('\n', ' ')
  expect(/\btests? runs? (both|the|the Python) programs? below/.test(text)).toBe(testedPages().includes(page))
  expect(/Written from .*? sources .*?no test runs (this client|these clients)\./.test(text)).toBe(
    !testedPages().includes(page),
  )
})

const testedPages = () => [...RECIPES.map(([page]) => page as string), 'plain-http.md']

function programOf(page: string, language: string, index = 0): string {
  const program = codeBlocks(join(FOLDER, page), language)[index]
  if (!program) throw new Error(`${page} has no program ${index} in ${language}`)
  return program
}
