import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { actCommands, CTL_COMMANDS } from '../../../src/cli/ctl/commands.ts'
import { readControlOperations } from '../../../src/cli/ctl/operations.ts'
import { runCtl } from '../../../src/cli/ctl/program.ts'
import { ctlJson, runCtlWords } from '../../support/ctl.ts'
import { testDialect } from '../../support/databases.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'
import { temporaryFolder } from '../../support/souk-process.ts'

const onSqlite = test.skipIf(testDialect === 'postgres')

let souk: TestSouk
beforeAll(async () => {
  souk = await startTestSouk()
})
beforeEach(() => souk.reset())

const run = (words: string, options?: Parameters<typeof runCtlWords>[2]) => runCtlWords(souk.url, words, options)
const json = (words: string) => ctlJson(souk.url, words)

describe('souk ctl', () => {
  test('moves and freezes the clock, with durations', async () => {
    const before = souk.clock.now().getTime()
    expect(await json('clock advance 1h30m')).toMatchObject({ now: new Date(before + 5_400_000).toISOString() })
    expect(await json('clock freeze')).toMatchObject({ frozen: true })
    expect((await run('clock unfreeze')).code).toBe(0)
    expect(await json('clock set 2030-01-01T00:00:00Z --keep-tokens')).toMatchObject({
      now: '2030-01-01T00:00:00.000Z',
    })
    expect((await run('clock get')).out).toMatch(/^now +2030-01-01T\S+\noffsetSeconds +\d+/)
  })

  onSqlite('resets, and saves, lists, restores and deletes snapshots', async () => {
    expect(await run('snapshot list')).toEqual({ code: 0, out: '(none)', err: '' })
    await json('snapshot save before')
    await json('clock advance 30d')
    expect((await run('snapshot list')).out).toMatch(/^name +time +version\nbefore +/)
    await json('snapshot restore before')
    await json('snapshot save before --replace')
    expect(await run('snapshot delete before')).toEqual({ code: 0, out: '', err: '' })
    expect(await json('reset --time 2027-05-01T00:00:00Z')).toMatchObject({ time: '2027-05-01T00:00:00.000Z' })
  })

  onSqlite('starts, lists and stops forks', async () => {
    const { id, url } = await json('fork start')
    expect((await json('fork list')).forks).toHaveLength(1)
    const atFork = await run(`clock advance 1d --url ${url}`)
    expect(atFork.code).toBe(0)
    expect(await run(`fork stop ${id}`)).toEqual({ code: 0, out: '', err: '' })
  })

  test('acts as buyers, carriers and competitors, with the fields of the API as options', async () => {
    const order = await json('act buyer order --sku SOUK-SHOE-001 --quantity 2')
    expect(order).toMatchObject({ orderId: expect.any(String) })
    expect(await json(`act buyer cancel --orderId ${order.orderId}`)).toMatchObject({ orderId: order.orderId })
  })

  test('starts, reports and stops a living market', async () => {
    expect(await json('life start --orders-per-day 50 --seed 7')).toMatchObject({ isRunning: true })
    expect(await json('life status')).toMatchObject({ isRunning: true, options: { ordersPerDay: 50 } })
    expect(await json('life stop')).toMatchObject({ isRunning: false })
  })

  test('prints and changes readings', async () => {
    expect(await json('readings')).toMatchObject({ repeatSolicitation: 403 })
    expect(await json('readings repeatSolicitation=400 destinationPath=plural')).toMatchObject({
      repeatSolicitation: 400,
      destinationPath: 'plural',
    })
  })

  test('calls any operation by its id, with a body from a file', async () => {
    const file = join(temporaryFolder(), 'body.json')
    writeFileSync(file, '{"advanceSeconds":60}')
    const before = souk.clock.now().getTime()
    expect(await json(`call advanceClock --input @${file} --frozen`)).toMatchObject({
      now: new Date(before + 60_000).toISOString(),
      frozen: true,
    })
    expect((await run('call getLocalAuthority')).out).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect((await run('call stopFork 99')).err).toContain('There is no fork 99.')
  })

  test('exports the marketplace, and imports it with its progress', async () => {
    const file = join(temporaryFolder(), 'marketplace.yaml')
    const exported = (await run('export')).out
    expect(exported).toMatch(/^# yaml-language-server/)
    writeFileSync(file, exported)
    await souk.buyer.order({ sku: 'SOUK-SHOE-001' })
    expect(await run(`import ${file}`)).toMatchObject({ code: 0, out: expect.stringContaining('applicationId') })
    expect((await run('export')).out).toBe(exported)
    expect(JSON.parse((await run('export --format json')).out)).toMatchObject({ version: 1 })
    writeFileSync(file, 'selers: []')
    expect(await run(`import ${file}`)).toMatchObject({ code: 1, err: expect.stringContaining('selers') })
    expect(await run('import missing.yaml')).toMatchObject({ code: 2, err: expect.stringContaining('cannot be read') })
  })

  test('verifies which requests came, and ends with 1 if not', async () => {
    const file = join(temporaryFolder(), 'expectations.json')
    writeFileSync(file, '[{ "operation": "getOrder", "count": { "exactly": 1 } }]')
    expect((await run(`verify @${file}`)).code).toBe(1)
    await fetch(`${souk.url}/orders/v0/orders/x`)
    const { code, err } = await run(`verify '[{"name":"the address","operation":"getOrder","status":200}]'`)
    expect(code).toBe(1)
    expect(err).toMatch(
      /^souk: 1 of 1 expectations failed\.\n- the address: .*\n {4}closest: GET \/orders\/v0\/orders\/x \(403\): /,
    )
    expect((await run('verify [{"operation":"getOrder","count":{"exactly":2}}]')).err).toContain(
      '    saw GET /orders/v0/orders/x (403) at ',
    )
    expect(await json(`verify @${file}`)).toMatchObject({ passed: true })
    expect((await run(`verify '{"operation":"getOrder"}'`)).out).toMatch(/passed +message\n +true/)
  })

  test('lists requests with the columns that people read', async () => {
    await souk.tokenFor(souk.demo.refreshToken)
    await fetch(`${souk.url}/orders/v0/orders/x`)
    const { out } = await run('requests --operation getOrder')
    expect(out).toMatch(
      /^time +id +method +path +status +operation +milliseconds\n\S+ +\S+ +GET +\/orders\/v0\/orders\/x +403 +getOrder/,
    )
    const [{ id }] = (await json('requests --operation getOrder')).requests
    expect(await json(`requests get ${id}`)).toMatchObject({ id, operation: 'getOrder' })
    expect((await run('requests clear')).code).toBe(0)
    expect((await json('requests --operation getOrder')).requests).toEqual([])
  })

  onSqlite('follows requests until the stand-in stops, which is exit code 3', async () => {
    const fork = await souk.fork()
    const lines: string[] = []
    const output = {
      out: (text: string) => lines.push(text),
      err: (text: string) => lines.push(text),
      isTerminal: false,
    }
    const following = runCtl(['requests', '--follow', '--url', fork.url], { env: {}, output })
    // The stream may begin after the first of them.
    await expect.poll(async () => (await fetch(`${fork.url}/orders/v0/orders/x`)) && lines.length).toBeGreaterThan(0)
    await fork.stop()
    expect(await following).toBe(3)
    expect(lines.at(-1)).toMatch(/^souk: Souk at .* stopped/)
    expect(lines[0]).toMatch(/^\S+ {2}\S+ {2}GET {2}\/orders\/v0\/orders\/x {2}403 {2}getOrder/)
  })

  test('adds and removes fault rules', async () => {
    const { id } = await json(
      `fault add --match '{"operations":"getOrders"}' --action '{"kind":"status","status":503}'`,
    )
    expect((await json('fault list')).faults).toHaveLength(1)
    expect(await json(`fault disable ${id}`)).toMatchObject({ id, enabled: false })
    expect(await json(`fault enable ${id}`)).toMatchObject({ id, enabled: true })
    expect((await run(`fault remove ${id}`)).code).toBe(0)
    expect((await run('fault clear')).code).toBe(0)
  })

  test('starts and stops incidents', async () => {
    const [{ name }] = (await json('incident list')).incidents
    expect(await json(`incident start ${name}`)).toMatchObject({ name, active: true })
    expect((await run('incident list')).out).toMatch(new RegExp(`^name +active +summary\\n${name} +true `))
    expect((await run(`incident stop ${name}`)).code).toBe(0)
    expect((await run('incident stop-all')).code).toBe(0)
  })

  test('prints documents as they are', async () => {
    expect((await run('certificate')).out).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect(JSON.parse((await run('seed-schema')).out)).toHaveProperty('properties.sellers')
    expect(JSON.parse((await run('openapi')).out)).toHaveProperty(['paths', '/_souk/clock'])
  })

  test('shows an example with the help and with a refusal of a command whose options are JSON, and the example works', async () => {
    const { code, out } = await run('fault add --help')
    const [all, example = ''] = /^Example:\n {2}souk ctl (.+)$/m.exec(out) ?? []
    expect(code).toBe(0)
    const refused = await run('fault add')
    expect(refused.code).toBe(1)
    expect(refused.err).toContain(`action is required.\n${all}`)
    expect(readFileSync('docs/ctl.md', 'utf8')).toContain(`npx souk ctl ${example}\n`)
    expect(await run(example)).toMatchObject({ code: 0, err: '' })
    expect((await souk.get('/_souk/faults')).json().faults).toMatchObject([
      { match: { operations: 'getOrder' }, action: { kind: 'status', status: 503 }, count: 2 },
    ])
  })

  test('moves the clock to what is due next', async () => {
    const { due } = await json('clock due --limit 1')
    expect(await json('clock next')).toMatchObject({ now: due[0].time, due: due[0] })
  })

  test('waits until no background work is due', async () => {
    await json('life start --orders-per-day 20')
    const { code, out } = await run('clock advance 2d --wait')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('offsetSeconds') })
    expect((await json('life status')).counts.orders).toBeGreaterThan(0)
    expect((await run('wait')).code).toBe(0)
  })
})

describe('souk ctl reports', () => {
  test('what the stand-in refuses, with exit code 1', async () => {
    expect(await run('snapshot restore missing')).toEqual({ code: 1, out: '', err: expect.stringContaining('missing') })
    const refused = await run('clock set 1999-01-01T00:00:00Z --json')
    expect(refused).toMatchObject({ code: 1, err: '' })
    expect(JSON.parse(refused.out).errors[0]).toMatchObject({ code: 'InvalidInput' })
  })

  test.each([
    ['', /Usage: souk ctl/],
    ['clok', /unknown command 'clok'[\s\S]*Did you mean clock/],
    ['clock advance', /missing required argument 'advance-seconds'/],
    ['clock advance soon', /must be a duration such as 90s, 1h30m or 30d, not "soon"/],
    ['clock set now --fast', /unknown option '--fast'/],
    ['life start --orders-per-day many', /ordersPerDay must be a number, not "many"/],
    ['readings repeatSolicitation', /must be <name>=<value>\. Names: repeatSolicitation, /],
    ['readings repeatSolicitation=409', /must be 403 or 400/],
    ['call doEverything', /unknown command 'doEverything'/],
    ['clock get --url localhost', /--url must be an http or https URL/],
  ])('a mistake in "%s" with exit code 2', async (words, message) => {
    expect(await run(words)).toEqual({ code: 2, out: '', err: expect.stringMatching(message) })
  })

  test('an invalid SOUK_URL with exit code 2, as an invalid --url', async () => {
    const err = expect.stringMatching(/^souk: SOUK_URL must be an http or https URL/)
    expect(await run('clock get', { env: { SOUK_URL: 'localhost:4700' } })).toEqual({ code: 2, out: '', err })
  })

  test('a file to import that is not UTF-8, instead of importing other text', async () => {
    const file = join(temporaryFolder(), 'latin1.yaml')
    writeFileSync(file, Buffer.from('sellers: [] # caf\xe9\n', 'latin1'))
    expect(await run(`import ${file}`)).toEqual({ code: 1, out: '', err: expect.stringContaining('UTF-8') })
  })

  test('a stand-in that does not respond, and how to reach it, with exit code 3', async () => {
    // The port of discard, which no machine of today serves.
    expect(await run('clock get', { env: { SOUK_URL: 'http://127.0.0.1:9' } })).toEqual({
      code: 3,
      out: '',
      err: expect.stringMatching(/^souk: No Souk responds at http:\/\/127.0.0.1:9 .* --url or SOUK_URL\.$/),
    })
  })

  test('an address of another server', async () => {
    const { code, err } = await run(`clock get --url ${souk.queueUrl}`)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(souk.url) })
  })

  test('help for each command', async () => {
    const { out } = await run('--help')
    expect(out).toMatch(/clock[\s\S]*snapshot[\s\S]*act[\s\S]*call/)
    const commands = out.slice(out.indexOf('Commands:')).split('\n').slice(1)
    for (const line of commands) expect(line).toMatch(/^ {2,}\S.*\S {2,}\S|^ {20,}\S/)
    expect((await run('clock advance --help')).out).toMatch(/--keep-tokens[\s\S]*--wait/)
  })
})

test('every short form names an operation and its fields', () => {
  const operations = readControlOperations()
  for (const { operationId, arguments: names = [] } of [...CTL_COMMANDS, ...actCommands(operations)]) {
    const found = operations.find((one) => one.operationId === operationId)
    expect(
      found?.fields.map(({ name }) => name),
      operationId,
    ).toEqual(expect.arrayContaining([...names]))
  }
})
