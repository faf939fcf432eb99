import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { Cluster } from '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster'
import { ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor'
import { Deployment } from 'kubernetes-models/apps/v1/Deployment'
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget'
import { Service } from 'kubernetes-models/v1/Service'
import { ServiceAccount } from 'kubernetes-models/v1/ServiceAccount'
import t from 'tap'
import { parse } from 'yaml'
import { PROVIDER_ERROR_KINDS } from '../../modules/providers/provider-error.ts'
import { call, startApp } from '../helpers/app.ts'
import { CHECKOUT } from './zonekeeper.ts'

/* What deploy/ has for operators is judged by the programs and schemas it is written for, and by the service. */
t.setTimeout(180_000)
const run = promisify(execFile)
const work = mkdtempSync(path.join(tmpdir(), 'zonekeeper-deploy-'))
t.teardown(() => rmSync(work, { recursive: true, force: true }))
const file = (name: string) => path.join(CHECKOUT, 'deploy', name)
const read = (name: string) => readFileSync(file(name), 'utf8')

const variables = new Set(
  [...readFileSync(path.join(CHECKOUT, '.env.example'), 'utf8').matchAll(/^#?([A-Z_]+)=/gm)].map(
    ([, name]) => name,
  ),
)

/** The kinds of deploy/kubernetes, with the module of each and its type. */
const KINDS = {
  Cluster: [Cluster, '@kubernetes-models/cloudnative-pg/postgresql.cnpg.io/v1/Cluster'],
  Deployment: [Deployment, 'kubernetes-models/apps/v1/Deployment'],
  NetworkPolicy: [NetworkPolicy, 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy'],
  PodDisruptionBudget: [PodDisruptionBudget, 'kubernetes-models/policy/v1/PodDisruptionBudget'],
  Service: [Service, 'kubernetes-models/v1/Service'],
  ServiceAccount: [ServiceAccount, 'kubernetes-models/v1/ServiceAccount'],
  ServiceMonitor: [
    ServiceMonitor,
    '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor',
  ],
} as const

interface Kustomization {
  resources: string[]
  configMapGenerator: { literals: string[] }[]
}
type Manifest = { kind: keyof typeof KINDS; metadata: { name: string } }

void t.test('kubernetes', async (t) => {
  const { resources, configMapGenerator } = parse(read('kubernetes/kustomization.yaml')) as Kustomization
  const inFolder = readdirSync(file('kubernetes')).filter((name) => /(?<!kustomization)\.yaml$/.test(name))
  t.same(resources.toSorted(), inFolder.sort())
  const manifests = resources.map((name) => parse(read(`kubernetes/${name}`)) as Manifest)
  t.same(new Set(manifests.map(({ kind }) => kind)), new Set(Object.keys(KINDS)))
  for (const manifest of manifests) {
    const [Model] = KINDS[manifest.kind]
    t.doesNotThrow(() => new Model(manifest as never).validate(), manifest.kind)
  }

  await t.test('no member is misspelled', async (t) => {
    // The schemas allow others; the type of an object literal does not.
    const literals = manifests.map((manifest, i) => {
      const [, module] = KINDS[manifest.kind]
      return `import type { I${manifest.kind} as Kind${i} } from '${module}'\nexport const m${i}: Kind${i} = ${JSON.stringify(manifest)}`
    })
    symlinkSync(path.join(CHECKOUT, 'node_modules'), path.join(work, 'node_modules'))
    const check = async (text: string) => {
      writeFileSync(path.join(work, 'manifests.ts'), text)
      const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--ignoreConfig']
      return run(path.join(CHECKOUT, 'node_modules/.bin/tsc'), [...options, 'manifests.ts'], {
        cwd: work,
      }).then(
        () => '',
        ({ stdout: output }: { stdout: string }) => output,
      )
    }
    const text = literals.join('\n')
    t.equal(await check(text), '')
    t.match(await check(text.replace('"readinessProbe"', '"readinesProbe"')), /readinesProbe/)
  })

  await t.test('the service gets settings that it has, and a hardened container', async (t) => {
    const deployment = manifests.find(({ kind }) => kind === 'Deployment') as never as {
      spec: { template: { spec: { containers: { env: { name: string }[]; securityContext: object }[] } } }
    }
    const settings = configMapGenerator.flatMap(({ literals }) =>
      literals.map((text) => text.split('=', 1)[0] ?? ''),
    )
    const [container] = deployment.spec.template.spec.containers
    const names = [...settings, ...(container?.env ?? []).map(({ name }) => name)]
    for (const name of names) t.ok(variables.has(name.replace(/_FILE$/, '')), name)
    t.match(container, {
      securityContext: {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      startupProbe: { httpGet: { path: '/healthz' } },
      livenessProbe: { httpGet: { path: '/healthz' } },
      readinessProbe: { httpGet: { path: '/readyz' } },
    })
  })
})

void t.test('systemd takes the unit, and finds little that is exposed', async (t) => {
  const unit = path.join(work, 'zonekeeper.service')
  // The paths of this machine.
  const text = read('systemd/zonekeeper.service').replace('/usr/bin/node', process.execPath)
  writeFileSync(unit, text)
  t.match(await run('systemd-analyze', ['verify', '--man=no', unit]), { stdout: '', stderr: '' })
  const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', unit])
  const exposure = Number(/Overall exposure level for zonekeeper.service: ([\d.]+)/.exec(stdout)?.[1])
  t.ok(exposure <= 2, `exposure ${exposure}`)
})

void t.test('prometheus', async (t) => {
  const { app, admin } = await startApp(t, {})
  await admin.get('/api/auth/me')
  const metrics = String((await call(app, { url: '/metrics' })).body)
  const known = new Set([...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  const alerts = parse(read('prometheus/alerts.yaml')) as {
    groups: { rules: { alert: string; expr: string }[] }[]
  }
  const dashboard = JSON.parse(read('prometheus/dashboard.json')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  const rules = alerts.groups.flatMap(({ rules: some }) => some.map(({ alert, expr }) => [alert, expr]))
  const panels = dashboard.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr]))
  t.ok(rules.length > 5 && panels.length > 10)
  for (const [name, expr = ''] of [...rules, ...panels]) {
    for (const [, metric = ''] of expr.matchAll(/\b(\w+)\{/g)) {
      const base = metric.replace(/_(?:bucket|count|sum)$/, '')
      t.ok(metric === 'up' || known.has(metric) || known.has(base), `${name}: ${metric}`)
    }
    for (const [, results = ''] of expr.matchAll(/result=~"([^"]+)"/g)) {
      for (const result of results.split('|'))
        t.ok(['error', ...PROVIDER_ERROR_KINDS].includes(result), `${name}: ${result}`)
    }
  }
  const copy = path.join(work, 'alerts.yaml')
  cpSync(file('prometheus/alerts.yaml'), copy)
  execFileSync('promtool', ['check', 'rules', copy])
  // What Grafana asks is PromQL, too; its variables are filled in.
  const asked = panels.map(([title, expr], i) => ({ record: `panel_${i}`, expr, labels: { title } }))
  const questions = path.join(work, 'panels.json')
  writeFileSync(questions, JSON.stringify({ groups: [{ name: 'panels', rules: asked }] }))
  execFileSync('promtool', ['check', 'rules', questions])
})
