/**
 * Tests the client as users receive it. It's packed, installed by npm into a separate folder, run by Node, and
 * type-checked.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTemporaryFolder } from '#tests/support/temporary-folder.ts'
import { packClient } from './pack-client.ts'
import { packageProgram, project, runNode, runNpm } from './package-program.ts'

let place: Awaited<ReturnType<typeof createTemporaryFolder>>
beforeAll(async () => {
  place = await createTemporaryFolder({ 'program/package.json': '{ "private": true, "type": "module" }' })
  const packed = await packClient(join(place.path, 'packed'))
  // An empty cache and no network. Any dependency would fail to install.
  const args = ['install', '--offline', '--no-audit', '--no-fund', '--cache', join(place.path, 'cache'), packed]
  const { code, output } = await runNpm(args, { cwd: join(place.path, 'program') })
  if (code !== 0) throw new Error(output)
}, 120_000)
afterAll(() => place[Symbol.asyncDispose]())

test('the package contains only the client, its types, its manifest, and readme', async () => {
  const installed = join(place.path, 'program/node_modules/@sidewall/client')
  const files = (await readdir(installed, { recursive: true })).sort()
  const modules = ['client', 'operations', 'request', 'result'].flatMap((name) => [`${name}.d.ts`, `${name}.js`])
  expect(files).toEqual(['LICENSE', 'README.md', 'package.json', ...modules].sort())
  const texts = await Promise.all(files.map((name) => readFile(join(installed, name), 'utf8')))
  expect(files.filter((_, index) => /sourceMappingURL|from '[^']*\.ts'/.test(texts[index] ?? ''))).toEqual([])
  const store = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'))
  const manifest = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'))
  expect(manifest).toMatchObject({
    name: '@sidewall/client',
    version: store.version,
    license: store.license,
    type: 'module',
  })
  expect(Object.keys(manifest).filter((key) => /scripts|dependencies/i.test(key))).toEqual([])
})

test('a plain JavaScript program can call an API with it', async () => {
  const asked: string[] = []
  await using server = createServer(({ method, url, headers }, response) => {
    asked.push(`${method} ${url} ${String(headers['x-user-session-id'])}`)
    const isThere = url?.startsWith('/api/places/60614')
    response.writeHead(isThere ? 200 : 404, {
      'content-type': isThere ? 'application/json' : 'application/problem+json',
    })
    response.end(
      JSON.stringify(
        isThere
          ? { zip: '60614', city: 'Chicago' }
          : { status: 404, detail: 'Not found: ZIP code.', code: 'UnknownZip' },
      ),
    )
  })
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening))
  const program = `
    import { createClient } from '@sidewall/client'
    const client = createClient({ baseUrl: process.argv[2], context: () => ({ userSessionId: 's-1' }) })
    const results = []
    for (const zip of ['60614', '00000']) results.push(await client.call('GET /places/{zip}', { params: { zip } }))
    console.log(JSON.stringify(results))`
  await writeFile(join(place.path, 'program/call.js'), program)
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const { code, output } = await runNode(['call.js', address], { cwd: join(place.path, 'program') })

  expect(code, output).toBe(0)
  expect(JSON.parse(output)).toMatchObject([
    { ok: true, statusCode: 200, data: { zip: '60614', city: 'Chicago' } },
    { ok: false, statusCode: 404, code: 'NotFound', message: 'Not found: ZIP code.' },
  ])
  expect(asked).toEqual(['GET /api/places/60614 s-1', 'GET /api/places/00000 s-1'])
})

test('a TypeScript program gets the operations with their input and response types', async () => {
  const program = `
    import { createClient, type ApiResult, type Operations } from '@sidewall/client'
    const client = createClient<Operations>({ baseUrl: '/api' })
    const right = await client.call('GET /places/{zip}', { params: { zip: '60614' } })
    export const city: string | undefined = right.ok ? right.data.city : undefined
    export const brands: ApiResult<Operations['GET /brands']['data']> = await client.call('GET /brands')
    await client.call('GET /place/{zip}', { params: { zip: '60614' } })
    await client.call('GET /places/{zip}', { params: { code: '60614' } })
    if (right.ok) right.data.town
  `
  const folder = join(place.path, 'program')
  const readme = await readFile(join(folder, 'node_modules/@sidewall/client/README.md'), 'utf8')
  await writeFile(join(folder, 'example.ts'), /```ts\n(.*?)```/s.exec(readme)?.[1] ?? 'There is no example.')
  await writeFile(join(folder, 'call.ts'), program.trim())
  const options = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--types', '']
  for (const resolution of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const args = packageProgram('typescript', [...options, ...resolution, 'call.ts', 'example.ts'], 'tsc')
    const { output } = await runNode(args, { cwd: folder })
    const errors = output
      .matchAll(/^(\S+)\((\d+),\d+\): error TS\d+: (.*)$/gm)
      .map(([, file, line, words]) => `${file} ${line}: ${words}`)
    expect([...errors]).toEqual([
      expect.stringMatching(/^call\.ts 6: .*GET \/place\/\{zip\}/),
      expect.stringMatching(/^call\.ts 7: .*'code'/),
      expect.stringMatching(/^call\.ts 8: .*'town'/),
    ])
  }
})
