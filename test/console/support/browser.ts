import { existsSync, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, expect } from 'vitest'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome']
const SCREENSHOTS = 'test-results/console'
const executablePath = findBrowser()

if (!executablePath) console.log(`Skipped: the console in a browser, because none of ${NAMES.join(', ')} is installed.`)

/** In CI the tests fail without a browser, because a skipped one is easily missed. */
export const hasBrowser = executablePath !== undefined || process.env.CI === 'true'

let browser: Promise<Browser> | undefined
afterAll(async () => {
  await (await browser)?.close()
  browser = undefined
})

export interface ConsolePage {
  page: Page
  /** What the browser complained about: errors of scripts, refused requests, violations of the policy. */
  complaints: string[]
}

/** Opens a page of the console in a new browser profile. */
export async function openConsole(
  address: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<ConsolePage> {
  if (!executablePath) throw new Error(`None of ${NAMES.join(', ')} is installed.`)
  browser ??= chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 900 }, ...options })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  await page.goto(`${address}/console${path}`)
  return { page, complaints }
}

/** Kept, so that people can look at what a test saw. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  mkdirSync(SCREENSHOTS, { recursive: true })
  await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true })
}

/** Fails with each serious barrier that axe finds on the page, and where. */
export async function expectAccessible(page: Page): Promise<void> {
  // As an expression, because the policy of the page refuses scripts in it.
  await page.evaluate(await readAxe())
  const first = await findBarriers(page)
  // What was fading in or out at the first look had no contrast.
  expect(first.length === 0 ? first : await findBarriers(page)).toEqual([])
}

const END_OF_ANIMATIONS = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity).map((one) => one.finished))`

async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(END_OF_ANIMATIONS)
  const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })')
  const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  return serious.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

let axe: Promise<string> | undefined
function readAxe(): Promise<string> {
  axe ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  return axe
}

function findBrowser(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [process.env.SOUK_TEST_BROWSER ?? '', ...candidates].find((file) => file !== '' && existsSync(file))
}
