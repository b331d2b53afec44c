import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pixelmatch from 'pixelmatch'
import type { Page } from 'playwright-core'
import { PNG } from 'pngjs'
import { expect } from 'vitest'

const FOLDER = 'test/console/baselines'
const RENDERER = join(FOLDER, 'renderer.txt')
const RESULTS = 'test-results/console'
/** A changed word in a table cell changes more pixels than this. */
const DIFFERENT_PIXELS_ALLOWED = 50
const update = process.env.UPDATE_BASELINES === 'true'

/**
 * Returns why pictures of this browser cannot be compared with the baselines, if so: another version or other fonts draw
 * other pixels.
 */
export async function findOtherRenderer(page: Page): Promise<string | undefined> {
  const widths = await page.evaluate<number[]>(`["sans-serif", "monospace", "system-ui"].map((family) => {
    const context = document.createElement("canvas").getContext("2d")
    context.font = "32px " + family
    return context.measureText("Souk 0123456789 Größe").width
  })`)
  const renderer = `Chromium ${page.context().browser()?.version()}, widths of text ${widths.join(' ')}`
  if (update) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(RENDERER, `${renderer}\n`)
    return undefined
  }
  const expected = readFileSync(RENDERER, 'utf8').trim()
  return renderer === expected ? undefined : `they were drawn by ${expected}, and this is ${renderer}`
}

/** Compares the page with its baseline, or replaces that if UPDATE_BASELINES=true. */
export async function expectBaseline(page: Page, name: string): Promise<void> {
  const file = join(FOLDER, `${name}.png`)
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  if (update) return writeFileSync(file, picture)
  expect(existsSync(file), `${file} exists`).toBe(true)
  const baseline = PNG.sync.read(readFileSync(file))
  const current = PNG.sync.read(picture)
  expect([current.width, current.height]).toEqual([baseline.width, baseline.height])
  const marked = new PNG({ width: baseline.width, height: baseline.height })
  const different = pixelmatch(baseline.data, current.data, marked.data, baseline.width, baseline.height)
  if (different <= DIFFERENT_PIXELS_ALLOWED) return
  mkdirSync(RESULTS, { recursive: true })
  const kept = join(RESULTS, `${name} now.png`)
  writeFileSync(kept, picture)
  writeFileSync(join(RESULTS, `${name} marked.png`), PNG.sync.write(marked))
  expect.fail(
    `${different} pixels of ${kept} differ from ${file}. If the page should look so, run UPDATE_BASELINES=true npm run test:console.`,
  )
}
