/** The sources that fill tables, which are the demo data and the product with its migrations and reference data. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { project } from './package-program.ts'
import { listProjectFiles } from './project-files.ts'

export type SourceFile = { path: string; text: string }

const isSeed = (path: string) => path.startsWith('db/seed/')
const isProduct = (path: string) => /^(?:domain|adapters|platform|db\/reference|db\/migrations)\//.test(path)

/** Reads the demo data's files, the product code without comments, and the functions of its migrations. */
export async function readSeedSources(): Promise<{ seed: SourceFile[]; product: SourceFile[] }> {
  const paths = (await listProjectFiles(project)).filter(
    (path) => /\.(?:ts|sql)$/.test(path) && !/\.(?:test|testing)\.ts$/.test(path),
  )
  const read = (wanted: string[]) =>
    Promise.all(wanted.map(async (path) => ({ path, text: await readFile(join(project, path), 'utf8') })))
  const [seed, product] = await Promise.all([read(paths.filter(isSeed)), read(paths.filter(isProduct))])
  return {
    seed,
    product: product.flatMap(({ path, text }) =>
      path.endsWith('.sql')
        ? functionsOf(text).map((body) => ({ path, text: body }))
        : [{ path, text: withoutComments(text) }],
    ),
  }
}

/** Returns the function bodies in a migration, because triggers also fill tables. */
function functionsOf(sql: string): string[] {
  return [...sql.matchAll(/\bas \$(?<tag>\w*)\$(?<body>[\s\S]*?)\$\k<tag>\$/gi)].map(
    ({ groups }) => groups?.['body'] ?? '',
  )
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/^\s*\/\/.*$/gm, ' ')
}
