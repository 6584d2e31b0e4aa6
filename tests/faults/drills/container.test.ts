/**
 * `npm run drill -- container` builds deploy/Containerfile and follows deploy/README.md with the image and a real
 * PostgreSQL. It opens an empty store, and a demo that takes an order, with the charge captured by the worker. The
 * sandbox with the providers isn't in the image and runs next to it. CONTAINER_IMAGE names an existing image.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { firstPlacedOrder } from '#tests/support/database.ts'
import { eventually } from '#tests/support/eventually.ts'
import { freePorts } from '#tests/support/free-ports.ts'
import { placeHomeOrder } from '#tests/support/order-by-api.ts'
import type { RunningStore } from '#tests/support/store.ts'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { createVisitor } from '#tests/support/visitor.ts'
import { project } from '../../../tools/package-program.ts'
import { findBases } from './base-images.ts'
import { confined, findEngine, given, startContainer, type Engine } from './container-engine.ts'
import { createEmptyDatabase } from './fleet.ts'
import { oneNetwork } from './orders-meanwhile.ts'
import { openDatabase } from './postgres-server.ts'
import { startProgram, thisRelease } from './release.ts'
import { report } from './report.ts'

const mostBytes = 350_000_000
const engine = await findEngine()

test('the image is built and does all that production needs', { timeout: 3_600_000 }, async () => {
  const { image, from } = await buildImage(engine)
  const bytes = Number((await engine.run('image', 'inspect', '--format', '{{.Size}}', image)).trim())
  expect(bytes).toBeLessThan(mostBytes)
  await expectNoSecrets(image)
  await expectBareImage(image)

  const name = `sidewall-drill-${process.pid}`
  const once = (env: Record<string, string>, ...command: string[]) =>
    engine.try('run', '--rm', ...confined, ...given(env), image, ...command)

  // An empty store, migrated twice. The second migration is empty.
  const empty = { DATABASE_URL: await createEmptyDatabase('sidewall_container_empty') }
  for (const again of [false, true])
    expect(await once(empty, 'tools/migrate.ts'), `again: ${again}`).toMatchObject({ code: 0 })
  expect(await once({ ...empty, SEED_SCALE: 'empty' }, 'db/seed/main.ts')).toMatchObject({ code: 0 })
  expect(await once(empty, 'tools/verify.ts')).toMatchObject({ code: 0 })
  expect(await once({ DATABASE_URL: 'none' }, 'tools/migrate.ts')).toMatchObject({
    code: 1,
    output: expect.stringContaining('DATABASE_URL (must start with postgres://)'),
  })

  // A demo, since it can be bought from.
  const url = await createEmptyDatabase('sidewall_container')
  await using folder = await createTemporaryFolder()
  const [port = 0, sandboxPort = 0, smtpPort = 0, metricsPort = 0] = await freePorts(5)
  const [origin, sandboxOrigin] = [`http://localhost:${port}`, `http://localhost:${sandboxPort}`]
  const env = {
    ...oneNetwork,
    DATABASE_URL: url,
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    SANDBOX_PORT: String(sandboxPort),
    SMTP_URL: `smtp://localhost:${smtpPort}`,
    RELEASE_AFTER_SECONDS: '1',
    DEMO: '1',
  }
  expect(await once(env, 'tools/migrate.ts')).toMatchObject({ code: 0 })
  expect(await once({ ...env, SEED_SCALE: 'small' }, 'db/seed/main.ts')).toMatchObject({ code: 0 })
  const ofSandbox = { DATA_DIR: join(folder.path, 'data'), SANDBOX_SMTP_PORT: String(smtpPort), STORE_ORIGIN: origin }
  await using _sandbox = await startProgram(thisRelease, 'sandbox/main.ts', {
    port: sandboxPort,
    env: { ...env, ...ofSandbox },
  })
  const start = (kind: string, ...args: string[]) =>
    startContainer(engine, `${name}-${kind}`, [...confined, '--volume', '/data', ...given(env), ...args])
  await using web = await start('web', image)
  await using worker = await start('worker', '--no-healthcheck', image, 'worker.ts')

  await eventually('healthy web process', () => web.isHealthy(), 120)
  // Checks that the health check can fail.
  expect(await web.exec({ PORT: '1' }, ...(await healthCommand(image)))).toMatchObject({ code: 1 })
  expect((await fetch(`${origin}/readyz`)).status).toBe(200)
  for (const at of [metricsPort, metricsPort + 1])
    await eventually(`metrics at port ${at}`, async () =>
      (await (await fetch(`http://localhost:${at}/metrics`).catch(() => undefined))?.text())?.includes('process_cpu'),
    )
  await expectPages(origin)
  expect(await web.exec({}, '/app/bin/node', '-e', writesOnlyToData)).toMatchObject({ code: 0 })

  await using database = openDatabase(url)
  const store = { origin, sandboxOrigin, database } as RunningStore
  const orderId = await placeHomeOrder(store, createVisitor(), { email: 'drill@example.com' })
  expect(orderId).toBeGreaterThanOrEqual(firstPlacedOrder)
  await eventually('charge of the order', () =>
    database.db
      .selectFrom('payment')
      .select('captured_cents')
      .where('order_id', '=', orderId)
      .where('captured_cents', '>', 0)
      .executeTakeFirst(),
  )
  const invited = await once(env, 'tools/staff.ts', 'invite', 'drill@example.com', 'owner')
  expect(invited, invited.output).toMatchObject({ code: 0 })
  expect(await once(env, 'tools/staff.ts', 'list')).toMatchObject({
    output: expect.stringContaining('drill@example.com'),
  })
  expect(await once(env, 'tools/verify.ts')).toMatchObject({ code: 0 })

  // 137 would mean that it was killed after the timeout.
  expect(await web.stop(30)).toBe(0)
  expect(await worker.stop(60)).toBe(0)
  await report('container', {
    engine: engine.name,
    'base images from': from,
    'size of the image, MB': Math.round(bytes / 1e5) / 10,
    'orders taken and charged': 1,
  })
})

async function buildImage({ name, run }: Engine): Promise<{ image: string; from: string }> {
  const given = process.env['CONTAINER_IMAGE']
  if (given) return { image: given, from: 'an image that was there' }
  const image = 'localhost/sidewall-drill/store'
  const bases = await findBases(engine)
  // Without it Podman's images have no health check.
  const format = name === 'podman' ? ['--format', 'docker'] : []
  const file = ['--file', join(project, 'deploy/Containerfile')]
  await run('build', ...format, '--network', 'host', ...file, ...bases.args, '--tag', image, project)
  return { image, from: bases.from }
}

/** The variables contain only the Containerfile's values, and the history contains no secrets. */
async function expectNoSecrets(image: string): Promise<void> {
  const env = JSON.parse(await engine.run('image', 'inspect', '--format', '{{json .Config.Env}}', image)) as string[]
  expect(new Set(env.map((entry) => entry.split('=')[0]))).toEqual(
    new Set([
      'DATA_DIR',
      'HOST',
      'LD_LIBRARY_PATH',
      'METRICS_HOST',
      'METRICS_PORT',
      'NODE_ENV',
      'PATH',
      'PORT',
      'SSL_CERT_FILE',
    ]),
  )
  const history = await engine.run('history', '--no-trunc', '--format', '{{.CreatedBy}}', image)
  expect(history).toContain('ENTRYPOINT')
  expect(history).not.toMatch(/secret|password|token|_key\b|npmrc/i)
}

/** No root, only Node and library executables, and no development files. */
async function expectBareImage(image: string): Promise<void> {
  const script = `
    const { existsSync, readdirSync } = require('node:fs')
    const found = readdirSync('/app', { recursive: true }).filter((path) => /(^|\\/)(\\.env|\\.npmrc|\\.git|tests|sandbox)$/.test(path) && !path.includes('node_modules/'))
    const programs = ['sh', 'bash', 'dash', 'busybox', 'apt', 'dpkg', 'npm', 'perl', 'python3', 'curl', 'wget'].filter((name) =>
      ['/bin/', '/usr/bin/', '/sbin/', '/usr/sbin/', '/usr/local/bin/', '/busybox/'].some((folder) => existsSync(folder + name)))
    console.log(JSON.stringify({ user: process.getuid(), found, programs }))`
  const said = await engine.run('run', '--rm', ...confined, image, '-e', script)
  expect(JSON.parse(said)).toEqual({ user: 65_532, found: [], programs: [] })
}

const writesOnlyToData = `
  const { writeFileSync, readFileSync } = require('node:fs')
  for (const folder of ['/data', '/tmp']) {
    writeFileSync(folder + '/drill', 'x')
    if (readFileSync(folder + '/drill', 'utf8') !== 'x') throw new Error(folder)
  }
  for (const folder of ['/app', '/home/nonroot', '/etc'])
    try { writeFileSync(folder + '/drill', 'x'); throw new Error('It writes to ' + folder) } catch (error) { if (error.code !== 'EROFS') throw error }`

/** The command of the image's own health check. */
async function healthCommand(image: string): Promise<string[]> {
  const format = engine.name === 'podman' ? '{{json .HealthCheck.Test}}' : '{{json .Config.Healthcheck.Test}}'
  const [how, ...command] = JSON.parse(await engine.run('image', 'inspect', '--format', format, image)) as string[]
  expect(how).toBe('CMD')
  return command
}

/** Checks server-rendered pages, their script, and an image rendered on demand. */
async function expectPages(origin: string): Promise<void> {
  const read = async (path: string) => {
    const answer = await fetch(new URL(path, origin))
    expect(answer.status, path).toBe(200)
    return { kind: answer.headers.get('content-type') ?? '', text: await answer.text() }
  }
  const { text: home } = await read('/')
  for (const path of ['/tire-sizes/225-65r17', '/learn', '/feeds/products.xml', '/api/openapi.json']) await read(path)
  const [script] = home.match(/\/assets\/[\w.-]+\.js/) ?? []
  expect((await read(script ?? 'no script')).kind).toContain('javascript')
  const [picture] = home.match(/\/pictures\/[^"' ,]+/) ?? []
  expect((await read(picture ?? 'no picture')).kind).toMatch(/^image\//)
}
