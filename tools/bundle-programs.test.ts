import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildIfStale } from './build.ts'
import { bundlePrograms, requireKnownPlace } from './bundle-programs.ts'
import { project } from './package-program.ts'

/** Loaded on first use because each is large and many processes don't need it. */
const late = /^(?:twilio|@easypost\/api|nodemailer|@aws-sdk\/|pdfmake|tesseract\.js)(?:\/|$)/

test.each(['web.js', 'worker.js'])(
  '%s is in few files, and loads no package at its start that is for its first use',
  { timeout: 120_000 },
  async (program) => {
    await buildIfStale()
    const folder = join(project, 'build', 'programs')
    const files = new Set([program])
    const packages = new Set<string>()
    const wide: string[] = []
    // Iterating a set includes entries added during iteration.
    for (const file of files) {
      // V8 retains the source with two bytes per character if one is beyond Latin-1.
      if (/[^\0-\u00ff]/.test(await readFile(join(folder, file), 'utf8'))) wide.push(file)
      for (const name of await importedAtStart(join(folder, file))) {
        if (name.startsWith('./')) files.add(name.slice(2))
        else packages.add(name)
      }
    }
    expect(wide).toEqual([])
    expect([...packages]).toContain('pg')
    expect([...packages].filter((name) => late.test(name))).toEqual([])
    expect(files.size).toBeLessThan(30)
  },
)

const placed = [
  "new Worker(new URL('./thread.js', from))",
  "readFileSync(new URL('./a.csv', import.meta.url))",
  "join(import.meta.dirname, 'a.csv')",
  'open(import.meta.filename)',
  "import.meta.resolve('a')",
  'createRequire(here)',
  "require.resolve('a')",
  "join(__dirname, 'a.csv')",
  'await import(name)',
  'await import(`./${name}.js`)',
  'import(/* @vite-ignore */ name)',
]

test.each(placed)('a module with %s is refused until it is listed', (code) => {
  expect(() => requireKnownPlace('adapters/new.ts', code)).toThrow('adapters/new.ts uses ')
  expect(() => requireKnownPlace('node_modules/new/index.js', code)).toThrow('node_modules/new/index.js uses ')
  expect(() => requireKnownPlace('build/server/assets/new-DvBrLAJo.js', code)).toThrow(
    'build/server/assets/new.js uses ',
  )
})

test('a listed module, one that loads a part by its name, and a listed chunk of the pages are taken', () => {
  requireKnownPlace('adapters/documents/pdf.ts', 'createRequire(import.meta.url)')
  requireKnownPlace('build/server/assets/agent-limits-Dv_r-AJo.js', 'createRequire(import.meta.url)')
  requireKnownPlace('adapters/new.ts', "await import('./receipt-pdf.ts')")
})

test(
  'bundled code finds the thread that reads VINs, and the DTD validator and its WebAssembly',
  { timeout: 120_000 },
  async () => {
    // Not in build/, which another test's build empties; packages must be found from it.
    const cache = join(project, 'node_modules', '.cache')
    await mkdir(cache, { recursive: true })
    const folder = await mkdtemp(join(cache, 'bundled-'))
    try {
      await bundlePrograms(folder, {
        vin: 'adapters/vehicles/vin-decoder.ts',
        dtd: 'adapters/purchasing/dtd-validator.ts',
      })
      for (const name of ['cXML', 'Fulfill', 'InvoiceDetail'])
        await writeFile(join(folder, `${name}.dtd`), '<!ELEMENT cXML (Header)><!ELEMENT Header EMPTY>')
      await writeFile(join(folder, 'try.mjs'), tried)
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'try.mjs'), folder])
      expect(JSON.parse(stdout)).toEqual({
        make: 'Honda',
        year: 2003,
        valid: null,
        invalid: expect.stringContaining('Header'),
      })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

/** Runs the bundle in a separate process because a test's loader resolves modules differently. */
const tried = `
import { createVinDecoder } from './vin.js'
import { loadDtds } from './dtd.js'
const [, , folder] = process.argv
const clock = { now: () => Temporal.Instant.from('2026-11-20T12:00:00Z') }
const decoder = createVinDecoder({ folder, clock, log: { error: (what) => console.error(what) } })
const vin = '1HGCM82633A004352'
const decoded = await decoder.decode([vin])
const { make, year } = decoded.value?.get(vin) ?? {}
const check = await loadDtds(folder)
const valid = check.problemOf('<cXML><Header/></cXML>', 'OrderRequest')
const invalid = check.problemOf('<cXML/>', 'OrderRequest')
console.log(JSON.stringify({ make, year, valid, invalid }))
`

async function importedAtStart(path: string): Promise<string[]> {
  const code = await readFile(path, 'utf8')
  return [...code.matchAll(/^(?:import|export) (?:[^'"\n]* from )?"([^"\n]+)";$/gm)].flatMap(([, name]) => name ?? [])
}
