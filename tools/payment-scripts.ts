/**
 * Lists the scripts of pages with card fields or wallets, each with its address, integrity, purpose, and pages, for
 * the inventory required by PCI DSS 4.0.1 (requirement 6.4.3). Part of the build.
 */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { integrityOf } from '#adapters/payment-pages/page-reader.ts'
import type { BuiltScript } from '#domain/payments/payment-pages/page-reader.port.ts'
import { pageName } from '#domain/payments/payment-pages/payment-pages.ts'
import { purposeOf } from '#domain/payments/payment-pages/script-purposes.ts'
import { paymentPartOf } from '#http/security.ts'
import { PlainError } from '#platform/plain-error.ts'

type RouteEntry = { id: string; parentId?: string; path?: string; module: string; imports?: string[] }
type Manifest = { entry: { module: string; imports?: string[] }; routes: Record<string, RouteEntry> }

/**
 * Reads the scripts in the folder `assets` of a build, and writes the list to `file`. Throws a `PlainError` that names
 * the scripts without a declared purpose.
 */
export async function listPaymentScripts(assets: string, file: string): Promise<void> {
  const names = (await readdir(assets)).filter((name) => name.endsWith('.js'))
  const texts = new Map(
    await Promise.all(names.map(async (name) => [name, await readFile(join(assets, name), 'utf8')] as const)),
  )
  const [manifestName, manifest] = readManifest(texts)
  const pages = new Map<string, Set<string>>()
  const add = (name: string, page: string) => pages.set(name, (pages.get(name) ?? new Set()).add(page))
  for (const route of Object.values(manifest.routes)) {
    const path = pathOf(route, manifest)
    if (paymentPartOf(path) === null) continue
    const page = pageName(path)
    const chain = [manifest.entry, ...withParents(route, manifest)]
    const first = chain.flatMap(({ module, imports = [] }) => [module, ...imports]).map((address) => basename(address))
    // Counting visits is no part of a route.
    const measure = names.filter((name) => name.startsWith('measure-'))
    for (const name of reachable([...measure, ...first], texts).add(manifestName)) add(name, page)
  }
  const scripts: BuiltScript[] = [...pages]
    .map(([name, on]) => {
      const bytes = Buffer.from(texts.get(name) ?? '')
      const address = `/assets/${name}`
      const purpose = purposeOf(address) ?? ''
      return { address, integrity: integrityOf(bytes), bytes: bytes.length, purpose, pages: [...on].sort() }
    })
    .toSorted((one, other) => one.address.localeCompare(other.address, 'en'))
  const unnamed = scripts.filter(({ purpose }) => purpose === '').map(({ address }) => address)
  if (unnamed.length > 0)
    throw new PlainError(
      `Payment pages load scripts without a purpose: ${unnamed.join(', ')}. Add what they do to domain/payments/payment-pages/script-purposes.ts.`,
    )
  await writeFile(file, `${JSON.stringify(scripts, null, 1)}\n`)
}

/** Returns the list of pages in the build, and the name of its script. A page's own script can have a similar name. */
function readManifest(texts: ReadonlyMap<string, string>): [name: string, manifest: Manifest] {
  for (const [name, text] of texts) {
    const list = /^window\.__reactRouterManifest=(\{[\s\S]*\});?\s*$/.exec(text)?.[1]
    if (list !== undefined) return [name, JSON.parse(list) as Manifest]
  }
  throw new PlainError('The build has no list of its pages.')
}

function withParents(route: RouteEntry, { routes }: Manifest): RouteEntry[] {
  const parent = route.parentId === undefined ? undefined : routes[route.parentId]
  return parent ? [route, ...withParents(parent, { routes, entry: route })] : [route]
}

/** An address of the route, with a word for each parameter. */
function pathOf(route: RouteEntry, manifest: Manifest): string {
  const parts = withParents(route, manifest)
    .toReversed()
    .flatMap(({ path = '' }) => path.split('/'))
    .filter(Boolean)
  return `/${parts.map((part) => (part.startsWith(':') ? 'x' : part)).join('/')}`
}

/** The names of these scripts and of all that they import, now or later. */
function reachable(first: readonly string[], texts: ReadonlyMap<string, string>): Set<string> {
  const found = new Set<string>()
  const open = [...first]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const text = texts.get(name)
    if (found.has(name) || text === undefined) continue
    found.add(name)
    // The list of pages includes every script in the store, and each page loads only its scripts.
    if (text.startsWith('window.__reactRouterManifest=')) continue
    for (const [, imported = ''] of text.matchAll(/["'`](?:\.\/|\/?assets\/)([\w.-]{1,100}\.js)["'`]/g))
      open.push(imported)
  }
  return found
}
