/**
 * Emails, texts, and files link to pages with the functions of `content/`, which the routes are tested against. A link
 * that is typed by hand breaks when its page moves.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

/** A path typed after the origin, in a template or by concatenation. */
const typed = /origin\}\/[\w-]|origin \+ ['"`]\//

/** The preview of an email links to a page that doesn't exist. */
const sample = /origin\}\/sample`/

test('domain code builds the URLs of pages with the path functions', async () => {
  const files = (await listProjectFiles(join(project, 'domain'))).filter(
    (file) => !/\.(?:test|testing|fixture)\.ts$/.test(file),
  )
  expect(files.length).toBeGreaterThan(500)
  const found: string[] = []
  for (const file of files) {
    const lines = (await readFile(join(project, 'domain', file), 'utf8')).split('\n')
    found.push(
      ...lines.filter((line) => typed.test(line) && !sample.test(line)).map((line) => `${file}: ${line.trim()}`),
    )
  }
  expect(found).toEqual([])
})
