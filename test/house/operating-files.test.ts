import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { VARIABLES } from '../../src/config/variables.ts'
import { documentedRows } from './documented-rows.ts'
import { sourceFiles } from './source-files.ts'

const text = (path: string) => readFileSync(path, 'utf8')
const without = (names: readonly string[], existing: readonly string[]) =>
  names.filter((name) => !existing.includes(name))
const settings: readonly string[] = VARIABLES
const documentedMetrics = documentedRows('operating.md')
  .map(([name]) => name as string)
  .filter((name) => name.startsWith('souk_'))

interface Target {
  expr: string
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  data?: Record<string, string>
  stringData?: Record<string, string>
  spec?: {
    selector?: { matchLabels?: object } & Record<string, unknown>
    template?: { metadata?: { labels?: object }; spec: PodSpec }
    rules?: { http: { paths: { backend: { service: { name: string } } }[] } }[]
  }
}
interface PodSpec {
  terminationGracePeriodSeconds?: number
  volumes?: { name: string }[]
  containers: Container[]
}
interface Container {
  args: string[]
  image: string
  envFrom: Record<string, { name: string }>[]
  ports?: { name: string }[]
  securityContext: object
  volumeMounts?: { name: string }[]
  readinessProbe?: Probe
  livenessProbe?: Probe
}
interface Probe {
  httpGet: { path: string; port: string }
}

describe('metrics', () => {
  test('docs/operating.md lists the metrics that the code names', () => {
    const inCode = sourceFiles()
      .filter(({ text: code }) => code.includes('metrics/'))
      .flatMap(({ text: code }) => [...code.matchAll(/'(souk_[a-z_]+)'/g)].map(([, name]) => name))
    expect(without([...new Set(inCode)] as string[], documentedMetrics)).toEqual([])
  })

  test('the dashboard and the alerts use metrics that exist', () => {
    const { panels } = JSON.parse(text('deploy/grafana/souk.json')) as { panels: { targets?: Target[] }[] }
    const { groups } = parse(text('deploy/prometheus/souk.rules.yaml')) as { groups: { rules: Target[] }[] }
    const inPanels = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const inRules = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr))
    expect([inPanels.length > 20, inRules.length > 10]).toEqual([true, true])
    const used = [...inPanels, ...inRules].flatMap((expr) => expr.match(/\b(souk|nodejs|process)_\w+/g) ?? [])
    const ofProcess = ['nodejs_eventloop_lag_p99_seconds', 'process_cpu_seconds_total', 'process_resident_memory_bytes']
    const parts = documentedMetrics.flatMap((name) => [name, `${name}_bucket`, `${name}_count`, `${name}_sum`])
    expect(without(used, [...parts, ...ofProcess])).toEqual([])
    // What no panel shows is not watched.
    expect(
      without(documentedMetrics, [...used.map((name) => name.replace(/_(bucket|count)$/, '')), ...UNWATCHED]),
    ).toEqual([])
  })

  test('every alert says what happened and what to do', () => {
    const { groups } = parse(text('deploy/prometheus/souk.rules.yaml')) as {
      groups: { rules: { alert: string; labels: { severity: string }; annotations: Record<string, string> }[] }[]
    }
    const rules = groups.flatMap((group) => group.rules)
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
    for (const { labels, annotations } of rules) {
      expect(['page', 'ticket']).toContain(labels.severity)
      expect(Object.keys(annotations).sort()).toEqual(['description', 'summary'])
    }
  })
})

// Constant, or the sum of others.
const UNWATCHED = ['souk_database_pool_size', 'souk_database_connections', 'souk_jobs_queued', 'souk_spans_total']

describe('deploy/kubernetes/souk.yaml', () => {
  const manifests = parseAllDocuments(text('deploy/kubernetes/souk.yaml')).map((one) => one.toJS() as Manifest)
  const named = (kind: string) => manifests.filter((one) => one.kind === kind).map(({ metadata }) => metadata.name)
  const pods = manifests.flatMap(({ spec }) => (spec?.template ? [spec.template.spec] : []))

  test('has kinds and versions that exist', () => {
    expect(new Set(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`))).toEqual(
      new Set([
        'v1 ConfigMap',
        'v1 Secret',
        'v1 Service',
        'batch/v1 Job',
        'apps/v1 Deployment',
        'policy/v1 PodDisruptionBudget',
        'networking.k8s.io/v1 Ingress',
      ]),
    )
  })

  test('sets only settings of souk, and keeps passwords out of the ConfigMap', () => {
    const open = manifests.flatMap(({ data = {} }) => Object.keys(data))
    const secret = manifests.flatMap(({ stringData = {} }) => Object.keys(stringData))
    expect(without([...open, ...secret], settings)).toEqual([])
    expect(open.filter((name) => /KEY|SECRET|DATABASE_URL|QUOTA_URL/.test(name))).toEqual([])
  })

  test('runs commands of souk without privileges, with probes that exist and time to drain', () => {
    expect(pods).toHaveLength(3)
    for (const { containers, volumes = [], terminationGracePeriodSeconds = 30 } of pods) {
      expect(terminationGracePeriodSeconds).toBeGreaterThanOrEqual(25)
      for (const container of containers) {
        expect(['serve', 'worker', 'migrate']).toContain(container.args[0])
        expect(container.image).toMatch(/:(?!latest$)[\w.-]+$/)
        expect(container.securityContext).toMatchObject({ runAsNonRoot: true, readOnlyRootFilesystem: true })
        const sources = container.envFrom.flatMap((source) => Object.values(source).map(({ name }) => name))
        expect(without(sources, [...named('ConfigMap'), ...named('Secret')])).toEqual([])
        const mounted = (container.volumeMounts ?? []).map(({ name }) => name)
        expect(
          without(
            mounted,
            volumes.map(({ name }) => name),
          ),
        ).toEqual([])
        for (const probe of [container.readinessProbe, container.livenessProbe]) {
          if (!probe) continue
          expect(['/readyz', '/healthz']).toContain(probe.httpGet.path)
          expect(container.ports?.map(({ name }) => name)).toContain(probe.httpGet.port)
        }
      }
    }
  })

  test('selects pods and services that it declares', () => {
    for (const { kind, spec } of manifests) {
      if (kind === 'Deployment') expect(spec?.template?.metadata?.labels).toEqual(spec?.selector?.matchLabels)
      const services = spec?.rules?.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service.name)) ?? []
      expect(without(services, named('Service'))).toEqual([])
    }
  })
})

describe('deploy/systemd', () => {
  const units = readdirSync('deploy/systemd').filter((name) => name.endsWith('.service'))

  test.each(units)('%s has known fields and runs its command', (name) => {
    const lines = text(`deploy/systemd/${name}`)
      .split('\n')
      .filter((line) => line && !line.startsWith('#'))
    const fields = lines.filter((line) => !line.startsWith('[')).map((line) => line.split('=', 1)[0] as string)
    expect(without(fields, UNIT_FIELDS)).toEqual([])
    const command = /^souk-(\w+)\.service$/.exec(name)?.[1]
    expect(lines).toContain(`ExecStart=/usr/bin/node /opt/souk/node_modules/souk/bin/souk.js ${command}`)
    const wanted = lines.flatMap((line) => /^Wants=(.*)$/.exec(line)?.[1]?.split(' ') ?? [])
    expect(without(wanted, [...units, 'network-online.target'])).toEqual([])
  })

  test('souk.env has only settings of souk', () => {
    const names = text('deploy/systemd/souk.env').match(/^\w+(?==)/gm) ?? []
    expect(names.length).toBeGreaterThan(5)
    expect(without(names, settings)).toEqual([])
  })
})

const UNIT_FIELDS = [
  ...['Description', 'After', 'Wants', 'WantedBy'],
  ...[
    'Type',
    'RemainAfterExit',
    'ExecStart',
    'EnvironmentFile',
    'DynamicUser',
    'Restart',
    'RestartSec',
    'KillMode',
    'TimeoutStopSec',
  ],
  ...['LimitNOFILE', 'NoNewPrivileges', 'ProtectSystem', 'ProtectHome', 'PrivateTmp', 'PrivateDevices'],
  ...['CapabilityBoundingSet', 'RestrictAddressFamilies', 'SystemCallArchitectures'],
]
