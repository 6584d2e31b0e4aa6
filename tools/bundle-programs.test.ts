import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from './build.ts'
import { requireKnownPlace } from './bundle-programs.ts'
import { project } from './package-program.ts'

/** Loaded with the first use: each is large, and many processes never need it. */
const late = /^(?:twilio|@easypost\/api|nodemailer|@aws-sdk\/client-s3|pdfmake|tesseract\.js)(?:\/|$)/

test.each(['web.js', 'worker.js'])(
  '%s is in few files, and loads no package at its start that is for its first use',
  { timeout: 120_000 },
  async (program) => {
    await buildIfStale()
    const folder = join(project, 'build', 'programs')
    const files = new Set([program])
    const packages = new Set<string>()
    // Iterating a set includes entries added meanwhile.
    for (const file of files) {
      for (const name of await importedAtStart(join(folder, file))) {
        if (name.startsWith('./')) files.add(name.slice(2))
        else packages.add(name)
      }
    }
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

async function importedAtStart(path: string): Promise<string[]> {
  const code = await readFile(path, 'utf8')
  return [...code.matchAll(/^(?:import|export) (?:[^'"\n]* from )?"([^"\n]+)";$/gm)].flatMap(([, name]) => name ?? [])
}
