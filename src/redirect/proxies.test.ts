import { describe, expect, test } from 'vitest'
import { bypassProxies } from './proxies.ts'

const bypassed = (env: Record<string, string>) => {
  bypassProxies(env)
  return env
}

describe('proxies of the environment', () => {
  test('are bypassed for the hosts of the vendor, and for those that the user listed', () => {
    const { NO_PROXY = '' } = bypassed({ HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: 'intranet, .example' })
    expect(NO_PROXY.split(',')).toEqual(
      expect.arrayContaining(['intranet', '.example', 'sellingpartnerapi-eu.amazon.com', 'api.amazon.com']),
    )
  })

  test('are bypassed in the lower-case variable, too, if it is set', () => {
    const { NO_PROXY, no_proxy } = bypassed({ https_proxy: 'http://proxy:3128', no_proxy: 'intranet' })
    expect(no_proxy).toMatch(/^intranet,.*amazon/)
    expect(NO_PROXY).toBe(no_proxy)
  })

  test.each<Record<string, string>>([
    {},
    { HTTPS_PROXY: '' },
    { HTTPS_PROXY: 'http://proxy:3128', NO_PROXY: '*' },
    // Souk's own: child processes in other languages need it.
    { SOUK_URL: 'http://127.0.0.1:4700', HTTPS_PROXY: 'http://127.0.0.1:4700', NO_PROXY: 'localhost' },
    { SOUK_URL: 'http://127.0.0.1:4700', HTTPS_PROXY: 'http://127.0.0.1:4700', HTTP_PROXY: 'http://proxy:3128' },
  ])('stay as they are: %j', (env) => {
    expect(bypassed({ ...env })).toEqual(env)
  })
})
