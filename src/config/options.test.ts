import { describe, expect, test } from 'vitest'
import { ManualClock, type SoukOptions, startSouk } from '../index.ts'

const start = (options: unknown) => startSouk(options as SoukOptions)

describe('startSouk refuses, in one sentence and before it starts anything,', () => {
  test.each<[object, string]>([
    [{ rates: 'fast' }, 'rates of startSouk must be documented, off or a number above 0, not "fast".'],
    [{ rates: '2' }, 'rates of startSouk must be documented, off or a number above 0, not "2".'],
    [{ rates: 0 }, 'rates of startSouk must be documented, off or a number above 0, not 0.'],
    [{ rates: -1 }, 'rates of startSouk must be documented, off or a number above 0, not -1.'],
    [{ rates: Number.NaN }, 'rates of startSouk must be documented, off or a number above 0, not NaN.'],
    [
      { rates: Number.POSITIVE_INFINITY },
      'rates of startSouk must be documented, off or a number above 0, not Infinity.',
    ],
    [{ rates: null }, 'rates of startSouk must be'],
    [{ rates: true }, 'rates of startSouk must be'],
    [{ port: -1 }, 'The option port of startSouk must be an integer from 0 to 65535, not -1.'],
    [{ port: 70_000 }, 'port'],
    [{ port: 1.5 }, 'port'],
    [{ port: '4700' }, 'port of startSouk must be an integer from 0 to 65535, not "4700".'],
    [{ queuePort: Number.NaN }, 'queuePort'],
    [{ host: '' }, 'host'],
    [{ host: 127 }, 'host'],
    [{ controlHost: 'everywhere' }, 'controlHost'],
    [{ publicUrl: 'souk.example' }, 'publicUrl of startSouk must be an http or https URL without a path'],
    [{ publicUrl: 'https://souk.example/path' }, 'publicUrl'],
    [{ database: '' }, 'database'],
    [{ database: 'mysql://localhost/souk' }, 'SQLite file or a PostgreSQL URL: postgres://'],
    [{ database: 'postgres://localhost:99999/souk' }, 'database'],
    [{ documents: 5 }, 'documents'],
    [{ eventBus: '' }, 'eventBus'],
    [{ tls: 'yes' }, 'tls'],
    [{ tlsPort: -1 }, 'tlsPort'],
    [{ proxyThrough: 'example.com' }, 'proxyThrough of startSouk must be an array of strings'],
    [{ proxyThrough: ['http://example.com'] }, 'proxyThrough of startSouk must list hosts such as example.com'],
    [{ delay: -300 }, 'delay'],
    [{ delay: '300' }, 'delay'],
    [{ delay: Number.POSITIVE_INFINITY }, 'delay'],
    [{ demo: 'no' }, 'demo of startSouk must be true or false, not "no".'],
    [{ clock: new Date() }, 'clock of startSouk must be a clock such as new ManualClock(date), not an object.'],
    [{ clock: '2026-01-01' }, 'clock'],
    [{ ids: {} }, 'ids'],
    [{ log: 'info' }, 'log of startSouk must be an object, not "info".'],
    [{ log: { level: 'verbose', pretty: false } }, 'log.level'],
    [{ log: { level: 'info', prety: true } }, 'Did you mean log.pretty?'],
    [{ signing: true }, 'signing'],
    [{ signing: { required: 'yes' } }, 'signing.required'],
    [{ signing: { masterSecret: '' } }, 'signing.masterSecret'],
    [{ signing: { fallbackSecrets: 'one' } }, 'signing.fallbackSecrets'],
    [{ signing: { fallbackSecrets: [''] } }, 'signing.fallbackSecrets[0]'],
    [
      { readings: { repeatSolicitation: 409 } },
      'readings.repeatSolicitation of startSouk must be 403 or 400, not 409.',
    ],
    [{ readings: { destinationPaths: 'both' } }, 'Did you mean readings.destinationPath?'],
    [{ solicitations: { window: { opensAfterDays: 5 } } }, 'solicitations.window.closesAfterDays'],
    [{ solicitations: { window: { opensAfterDays: 9, closesAfterDays: 3 } } }, 'must not be more than'],
    [{ solicitations: { repeat: 400 } }, 'startSouk has no option solicitations.repeat.'],
    [{ worker: { concurrency: 2 } }, 'startSouk has no option worker.'],
    [{ messaging: { sns: {} } }, 'Did you mean messaging.sqs?'],
    [{ messaging: { sqs: { endpiont: 'http://localhost:1' } } }, 'Did you mean messaging.sqs.endpoint?'],
    [{ messaging: { sqs: { endpoint: 'localhost' } } }, 'messaging.sqs.endpoint'],
    [{ messaging: { eventBridge: { file: '' } } }, 'messaging.eventBridge.file'],
    [{ prot: 4700 }, 'startSouk has no option prot. Did you mean port?'],
    [{ Rates: 'off' }, 'startSouk has no option Rates. Did you mean rates?'],
    [{ quotas: 'off' }, 'startSouk has no option quotas. There are port, host, controlHost, publicUrl,'],
    [{ __proto__: null, constructor: 1 }, 'startSouk has no option constructor.'],
  ])('%o', async (options, sentence) => {
    await expect(start(options)).rejects.toMatchObject({
      name: 'ConfigError',
      message: expect.stringContaining(sentence),
    })
  })

  test.each([null, 'off', 4700, []])('%o instead of options', async (options) => {
    await expect(start(options)).rejects.toMatchObject({ name: 'ConfigError' })
  })

  test('a password in a URL, without repeating it', async () => {
    const error = await start({ database: 'mysql://root:hunter2@localhost/souk' }).catch((caught) => caught)
    expect(error.message).not.toContain('hunter2')
  })
})

test('startSouk treats an undefined option as absent', async () => {
  await using souk = await start({ port: undefined, rates: undefined, demo: false, log: undefined, clock: undefined })
  expect(souk.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
})

test('a clock cannot be set to an invalid date', () => {
  expect(() => new ManualClock('yesterday')).toThrow('"yesterday" is not a date')
})
