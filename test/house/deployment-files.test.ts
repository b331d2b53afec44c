import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { VARIABLES } from '../../src/config/variables.ts'

const COMPOSE_FILES = ['compose.yaml', 'deploy/compose.service.yaml']
const CI_FILES = ['examples/ci/github-actions.yml', 'examples/ci/gitlab-ci.yml']
const COMMANDS = ['dev', 'serve', 'worker', 'migrate']

interface Service {
  image: string
  build?: { context: string; dockerfile: string }
  command?: string[]
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  volumes?: string[]
  depends_on?: Record<string, unknown>
}

const text = (path: string) => readFileSync(path, 'utf8')
const manifest = JSON.parse(text('package.json'))
const containerfile = text('Containerfile')
const instructions = containerfile
  .replace(/\\\n\s*/g, ' ')
  .split('\n')
  .filter((line) => line && !line.startsWith('#'))

describe('Containerfile', () => {
  test('is built without the history and the files that Git ignores', () => {
    const ignored = text('.dockerignore').split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['.git', ...text('.gitignore').split('\n')]))
  })

  test('uses the Node.js version of this project in both stages', () => {
    const versions = [...containerfile.matchAll(/^FROM \S*?node(?:js|:)(\d+)/gm)].map(([, major]) => `^${major}.0.0`)
    expect(versions).toEqual([manifest.devDependencies.node, manifest.devDependencies.node])
  })

  test('ends without root, with a health check and the command', () => {
    const last = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM')))
    expect(last.filter((line) => line.startsWith('USER')).at(-1)).toMatch(/^USER [1-9]\d*:[1-9]\d*$/)
    expect(last.some((line) => line.startsWith('HEALTHCHECK') && line.includes('/healthz'))).toBe(true)
    expect(last).toContain(`ENTRYPOINT ["/nodejs/bin/node", "/app/node_modules/souk/${manifest.bin.souk}"]`)
  })
})

describe.each(COMPOSE_FILES)('%s', (path) => {
  const { services, volumes } = parse(text(path), { merge: true }) as {
    services: Record<string, Service>
    volumes: object
  }
  const ours = Object.values(services).filter(({ build }) => build)

  test('runs commands of souk with settings that exist, without write access to the image', () => {
    expect(ours.length).toBeGreaterThan(0)
    for (const { build, command, environment = {}, read_only, cap_drop } of ours) {
      expect(existsSync(join(dirname(path), build?.context ?? '', build?.dockerfile ?? ''))).toBe(true)
      expect(COMMANDS).toContain(command?.[0])
      const settings = Object.keys(environment).filter((name) => name.startsWith('SOUK_'))
      expect(settings.filter((name) => !(VARIABLES as readonly string[]).includes(name))).toEqual([])
      expect({ read_only, cap_drop }).toEqual({ read_only: true, cap_drop: ['ALL'] })
    }
  })

  test('refers only to services and volumes that it declares, and to images with a version', () => {
    for (const { depends_on = {}, volumes: mounts = [], image } of Object.values(services)) {
      expect(Object.keys(services)).toEqual(expect.arrayContaining(Object.keys(depends_on)))
      expect(Object.keys(volumes)).toEqual(expect.arrayContaining(mounts.map((mount) => mount.split(':')[0])))
      expect(image).toMatch(/:(?!latest$)[\w.-]+$/)
    }
  })
})

test.each(CI_FILES)('%s uses the Node.js version of this project and actions with a version', (path) => {
  const versions = [...text(path).matchAll(/(?:node-version:|image: node:)\s*(\d+)/g)].map(
    ([, major]) => `^${major}.0.0`,
  )
  expect(new Set(versions)).toEqual(new Set([manifest.devDependencies.node]))
  const actions = [...text(path).matchAll(/uses: (\S+)/g)].map(([, action]) => action)
  expect(actions.filter((action) => !/@v\d+$/.test(action as string))).toEqual([])
  expect(parse(text(path))).toBeTypeOf('object')
})
