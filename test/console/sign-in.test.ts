import { createServer } from 'node:net'
import { beforeEach, describe, expect, test } from 'vitest'
import { startProcesses } from '../support/service-processes.ts'
import { expectAccessible, hasBrowser, keepScreenshot, openConsole } from './support/browser.ts'

const PASSWORD = 'correct horse battery'

describe.runIf(hasBrowser)('the console of souk serve', () => {
  let url: string
  let operatorKey: string

  // Processes end with the test that started them.
  beforeEach(async () => {
    const port = await findFreePort()
    const env = { SOUK_CONSOLE: 'on', SOUK_PORT: String(port), SOUK_PUBLIC_URL: `http://127.0.0.1:${port}` }
    const place = await startProcesses({ leaseSeconds: 30, env })
    operatorKey = place.env.SOUK_OPERATOR_KEY
    url = (await place.startServe()).url
    await write('PUT', 'sellers', {
      sellers: [
        { sellerId: 'A1SELLER', businessType: 'INDIVIDUAL', sellingPlan: 'PROFESSIONAL', participations: [] },
        { sellerId: 'A2SELLER', businessType: 'INDIVIDUAL', sellingPlan: 'PROFESSIONAL', participations: [] },
      ],
    })
    for (const name of ['sara', 'locked']) {
      await write('POST', 'consoleAccounts', { name, role: 'seller', sellerId: 'A1SELLER', password: PASSWORD })
    }
  })

  test('signs an operator in with the key, shows the operator side only, and signs out', async () => {
    const { page, complaints } = await openConsole(url, '/operator/sellers')
    await page.getByRole('heading', { name: 'Sign in to Souk' }).waitFor()
    await expectAccessible(page)
    await keepScreenshot(page, 'Sign in')
    await page.getByRole('button', { name: 'Sign in with the operator key' }).click()
    await page.getByLabel(/^Operator key/).fill(operatorKey)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Sellers' }).waitFor()
    await page.getByText('A2SELLER').waitFor()
    expect(await page.getByRole('link', { name: 'Orders' }).count()).toBe(0)
    expect(await page.getByRole('link', { name: 'Requests' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to Souk' }).waitFor()
    await page.goto(`${url}/console/operator/sellers`)
    await page.getByRole('heading', { name: 'Sign in to Souk' }).waitFor()
    // The browser reports the responses 401 by which the page learns that no user is signed in.
    expect(complaints.filter((one) => !one.includes('401'))).toEqual([])
    await page.context().close()
  })

  test("shows a seller's account nothing of the operator and of other sellers", async () => {
    const { page } = await openConsole(url, '/')
    await signIn(page, 'sara', PASSWORD)
    await page.getByRole('link', { name: 'Orders' }).first().waitFor()
    expect(await page.getByRole('link', { name: 'Sellers' }).count()).toBe(0)
    await page.goto(`${url}/console/operator/sellers`)
    await page.getByText(/operator of the marketplace/).waitFor()
    expect(await page.getByText('A2SELLER').count()).toBe(0)
    const other = await page.evaluate(
      `fetch('/console/v1/session').then((session) => session.json()).then(({ csrfToken }) =>
        fetch('/listings/2021-08-01/items/A2SELLER?marketplaceIds=ATVPDKIKX0DER', { headers: { 'x-souk-console': csrfToken, 'x-souk-seller': 'A2SELLER' } })
      ).then(({ status }) => status)`,
    )
    expect(other).toBe(403)
    await page.context().close()
  })

  test('locks an account after repeated wrong passwords, and says for how long', async () => {
    const { page } = await openConsole(url, '/')
    for (let attempt = 0; attempt < 5; attempt++) {
      await signIn(page, 'locked', `wrong password ${attempt}`)
      await page.getByRole('alert').waitFor()
    }
    await signIn(page, 'locked', PASSWORD)
    await page.getByText(/minutes/).waitFor()
    await page.context().close()
  })

  async function write(method: string, resource: string, body: object): Promise<void> {
    const response = await fetch(`${url}/operator/v1/${resource}`, {
      method,
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(await response.text())
  }
})

async function signIn(page: Awaited<ReturnType<typeof openConsole>>['page'], name: string, password: string) {
  await page.getByLabel(/^Name/).fill(name)
  await page.getByLabel(/^Password/).fill(password)
  const responded = page.waitForResponse((response) => response.request().method() === 'POST')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await responded
}

/** The public URL has the port, so it must be known before the start. */
async function findFreePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
