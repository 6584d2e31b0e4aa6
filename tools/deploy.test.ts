/** Tests that variables, ports, URLs, programs, and files mentioned in deploy/ exist in the code. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '#platform/config.ts'
import { variables } from '#platform/config-variables.ts'
import { imagePrograms, importedNames, reachedModules } from './image-files.ts'
import { project } from './package-program.ts'

type Service = {
  image: string
  command?: string[]
  environment?: Record<string, string>
  volumes?: string[]
  networks?: string[] | Record<string, unknown>
  depends_on?: Record<string, { condition: string }>
  healthcheck?: unknown
  user?: string
  read_only?: boolean
}

const read = (path: string) => readFile(join(project, path), 'utf8')
const composeFile = await read('deploy/compose.yaml')
const compose = parse(composeFile, { merge: true }) as {
  services: Record<string, Service>
  networks: Record<string, unknown>
}
const container = await read('deploy/Containerfile')
const example = Object.fromEntries(
  [...(await read('deploy/.env.example')).matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value,
  ]),
)
const settings = new Set(Object.keys(variables.shape))
/** The variables that compose.yaml requires. */
const required = [...composeFile.matchAll(/\$\{([A-Z_]+):\?\}/g)].map(([, name = '']) => name)
/** The variables of the other services, which also have the store's settings in their environment. */
const ofOthers = new Set(
  [...composeFile.matchAll(/\$\{([A-Z_]+):[?-]/g)].map(([, name = '']) => name).filter((name) => !settings.has(name)),
)
const ofStore = Object.entries(compose.services).filter(([, { image }]) => image.includes('SIDEWALL_IMAGE'))

test('every variable that deploy/ gives the store is one of its settings', async () => {
  const values = parse(await read('deploy/helm/sidewall/values.yaml')) as { settings: Record<string, string> }
  const parts = await read('deploy/helm/sidewall/templates/_parts.tpl')
  const [, fixed = ''] = parts.split('"sidewall.environment"')
  const image = container.match(/^ENV ([\s\S]*?)\n[A-Z]/m)?.[1] ?? ''
  const named = [
    ...ofStore.flatMap(([, { environment }]) => Object.keys(environment ?? {})),
    ...Object.keys(values.settings),
    ...[...fixed.matchAll(/name: ([A-Z_]+)/g)].map(([, name = '']) => name),
    ...[...image.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name).filter((name) => name !== 'LD_LIBRARY_PATH'),
    ...Object.keys(example).filter((name) => !ofOthers.has(name)),
  ]
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !settings.has(name))).toEqual([])
})

test('the example, filled in, is all that a real store needs to start, and holds no secret', () => {
  const filled = Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, value === '' ? plausible(name) : value]),
  )
  const given = { ...filled, ...ofStore[0]?.[1].environment, DATABASE_URL: 'postgres://s:s@pgbouncer:6432/s' }
  expect(readConfig({ ...given, DATABASE_DIRECT_URL: 'postgres://s:s@postgres:5432/s' })).toMatchObject({ ok: true })
  const secrets = Object.entries(example).filter(([name]) => /SECRET|PASSWORD|KEY$/.test(name))
  expect(secrets.length).toBeGreaterThan(6)
  expect(secrets.filter(([, value]) => value !== '')).toEqual([])
  expect(required.length).toBeGreaterThan(10)
  expect(required.filter((name) => !(name in example))).toEqual([])
})

test('Keycloak has every variable of its realm', async () => {
  const realm = await read('deploy/keycloak/sidewall-realm.json')
  const named = [...realm.matchAll(/\$\{([A-Z_]+)[:}]/g)].map(([, name = '']) => name)
  expect(named).toContain('SIGN_IN_SMTP_HOST')
  expect(named.filter((name) => !(name in (compose.services.keycloak?.environment ?? {})))).toEqual([])
})

function plausible(name: string): string {
  if (/EMAIL|MAIL_FROM/.test(name)) return 'help@store.example'
  if (name === 'SMTP_URL') return 'smtp://mail.store.example'
  return `${name.toLowerCase()}-0123456789abcdef0123456789abcdef`
}

test('each service runs an image program without root or writable files', () => {
  expect(ofStore.map(([name, { command }]) => [name, ...(command ?? [])])).toEqual([
    ['migrate', 'tools/migrate.ts'],
    ['web', 'server.ts'],
    ['worker', 'worker.ts'],
  ])
  for (const [, service] of ofStore) {
    expect(imagePrograms).toContain(service.command?.[0])
    expect(service).toMatchObject({ read_only: true, user: '65532:65532' })
  }
  expect(container).toMatch(/^USER 65532:65532$/m)
})

test('every service dependency reports its health or completion', () => {
  for (const [name, { depends_on: awaited = {}, networks = [] }] of Object.entries(compose.services)) {
    for (const [other, { condition }] of Object.entries(awaited)) {
      const service = compose.services[other]
      expect(service, `${name} waits for ${other}`).toBeDefined()
      if (condition === 'service_healthy')
        expect(service?.healthcheck ?? container.match(/^HEALTHCHECK/m), other).toBeTruthy()
      else expect(condition).toBe('service_completed_successfully')
    }
    const known = Object.keys(compose.networks)
    for (const network of Array.isArray(networks) ? networks : Object.keys(networks)) expect(known).toContain(network)
  }
})

test('proxy, pooler and collector speak of the ports and addresses that the store has', async () => {
  const { PORT: port, METRICS_PORT: metrics = '' } = compose.services.web?.environment ?? {}
  const proxy = await read('deploy/haproxy/haproxy.cfg')
  const health = await read('app/server/health.ts')
  expect(proxy).toContain(`server-template web 10 web:${port}`)
  expect(proxy).toContain('meth GET uri /readyz')
  for (const path of ['/readyz', '/healthz']) expect(health).toContain(`hono.get('${path}'`)
  const collector = await read('deploy/collector/config.yaml')
  expect(collector).toContain(`names: [web], type: A, port: ${metrics}`)
  expect(collector).toContain(`names: [worker], type: A, port: ${Number(metrics) + 1}`)
  const pooler = await read('deploy/pgbouncer/pgbouncer.ini')
  expect(pooler).toMatch(/^pool_mode = transaction$/m)
  expect(Number(pooler.match(/^max_prepared_statements = (\d+)$/m)?.[1])).toBeGreaterThan(0)
  expect(compose.services.web?.environment).toMatchObject({ DATABASE_POOLER_PREPARES: '1', PROXY_HOPS: '1' })
})

test('the chart uses the image name of a release', async () => {
  const release = await read('.github/workflows/release.yml')
  expect(release).toContain('version="${GITHUB_REF_NAME#v}"')
  expect(release).toMatch(/tags: \$\{\{ env\.IMAGE \}\}:\$\{\{ github\.ref_name \}\}/)
  expect(await read('deploy/helm/sidewall/templates/_parts.tpl')).toContain(
    '.tag | default (printf "v%s" $.Chart.AppVersion)',
  )
})

test('files that deploy/ mounts and copies are there', async () => {
  const there = await readdir(join(project, 'deploy'), { recursive: true })
  const mounted = Object.values(compose.services).flatMap(({ volumes = [] }) =>
    volumes.flatMap((volume) => (volume.startsWith('./') ? [volume.slice(2).split(':')[0] ?? ''] : [])),
  )
  // The certificate is the operator's.
  expect(mounted.filter((path) => path !== 'certs' && !there.includes(path))).toEqual([])
  for (const path of there.filter((file) => file.endsWith('.yaml') && !file.includes('templates/')))
    for (const document of parseAllDocuments(await read(`deploy/${path}`), { merge: true }))
      expect(document.errors, path).toEqual([])
})

test('an image contains every module of its programs, without tests, sandbox, or browser', async () => {
  const { modules, packages } = await reachedModules(project, imagePrograms)
  expect(modules.size).toBeGreaterThan(900)
  expect([...modules].filter((path) => /^(?:tests|sandbox|bench)\/|\.test\.tsx?$/.test(path))).toEqual([])
  expect([...packages]).toEqual(expect.arrayContaining(['pg', 'graphile-worker', 'sharp', 'stripe']))
  for (const name of ['vitest', 'playwright-core', '@sparticuz/chromium', 'oidc-provider', 'smtp-server', 'vite'])
    expect([...packages]).not.toContain(name)
})

test('the modules that a module names are those it has when it runs', () => {
  const source = `import type { A } from 'types-only'
import { b } from '#platform/b.ts'
import 'side-effect'
export * from "./c.ts"
const d = await import('lazy')
const e = require.resolve('by-path/data.json')
import { f } from 'node:fs'`
  expect(importedNames(source)).toEqual(['#platform/b.ts', 'side-effect', './c.ts', 'lazy', 'by-path/data.json'])
})
