import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildIfStale } from './build.ts'
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

async function importedAtStart(path: string): Promise<string[]> {
  const code = await readFile(path, 'utf8')
  return [...code.matchAll(/^(?:import|export) (?:[^'"\n]* from )?"([^"\n]+)";$/gm)].flatMap(([, name]) => name ?? [])
}
