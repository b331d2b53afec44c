import { describe, expect, test } from 'vitest'
import { ConfigError } from './config.ts'
import { readListenConfig, readServiceConfig } from './env.ts'

const complete = {
  SOUK_DATABASE_URL: 'postgres://souk@localhost/souk',
  SOUK_OPERATOR_KEY: 'sixteen-characters',
  SOUK_SIGNING_SECRET: 'sixteen-characters',
  PATH: '/usr/bin',
}

describe('the configuration of the service', () => {
  test('has sensible values for all that is not set', () => {
    expect(readServiceConfig(complete)).toEqual({
      database: { kind: 'postgres', url: 'postgres://souk@localhost/souk', poolSize: 10 },
      operatorKey: 'sixteen-characters',
      rates: 'documented',
      signing: { required: false, masterSecret: 'sixteen-characters' },
      solicitations: { window: { opensAfterDays: 5, closesAfterDays: 30 }, repeatStatus: 403 },
      log: { level: 'info', pretty: false },
    })
    expect(readListenConfig(complete)).toEqual({ host: '0.0.0.0', port: 4700 })
  })

  test('takes what is set', () => {
    const config = readServiceConfig({
      ...complete,
      SOUK_RATES: '2.5',
      SOUK_SIGNING: 'required',
      SOUK_REPEAT_SOLICITATION_STATUS: '400',
      SOUK_SOLICITATION_OPENS_AFTER_DAYS: '1',
      SOUK_SOLICITATION_CLOSES_AFTER_DAYS: '60',
      SOUK_LOG_LEVEL: 'warn',
      SOUK_DATABASE_POOL: '50',
    })
    expect(config).toMatchObject({
      database: { poolSize: 50 },
      rates: 2.5,
      signing: { required: true },
      solicitations: { window: { opensAfterDays: 1, closesAfterDays: 60 }, repeatStatus: 400 },
      log: { level: 'warn' },
    })
  })

  test.each([
    ['SOUK_DATABASE_URL', undefined],
    ['SOUK_DATABASE_URL', 'mysql://localhost/souk'],
    ['SOUK_DATABASE_URL', 'postgres://host:port/x'],
    ['SOUK_DATABASE_POOL', '0'],
    ['SOUK_OPERATOR_KEY', undefined],
    ['SOUK_OPERATOR_KEY', 'short'],
    ['SOUK_SIGNING_SECRET', undefined],
    ['SOUK_SIGNING', 'yes'],
    ['SOUK_RATES', 'fast'],
    ['SOUK_RATES', '0'],
    ['SOUK_RATES', '-1'],
    ['SOUK_REPEAT_SOLICITATION_STATUS', '409'],
    ['SOUK_SOLICITATION_OPENS_AFTER_DAYS', '31'],
    ['SOUK_SOLICITATION_CLOSES_AFTER_DAYS', '1.5'],
    ['SOUK_LOG_LEVEL', 'loud'],
    ['SOUK_TYPO', 'x'],
  ])('refuses %s=%s with a sentence that names it', (name, value) => {
    const read = () => readServiceConfig({ ...complete, [name]: value })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(name)
  })

  test.each(['65536', '-1', 'http'])('refuses SOUK_PORT=%s', (port) => {
    expect(() => readListenConfig({ SOUK_PORT: port })).toThrow(/SOUK_PORT/)
  })
})
