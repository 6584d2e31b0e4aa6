/**
 * THIRD-PARTY.md: the packages that are shipped with the store or run beside it, by license, as the lock file names
 * them. A license that the store's own does not go with is refused here, before it is shipped.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlainError } from '#platform/plain-error.ts'

export const thirdPartyFile = 'THIRD-PARTY.md'

/** What may be shipped, by SPDX: permissive ones, fonts, and the LGPL for libraries that stay files of their own. */
const mayShip = new Set([
  '(MIT AND Zlib)',
  '(MIT OR Apache-2.0)',
  '0BSD',
  'Apache-2.0',
  'Apache-2.0 AND LGPL-3.0-or-later',
  'Apache-2.0 AND LGPL-3.0-or-later AND MIT',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'OFL-1.1',
  'Python-2.0',
])
/** Packages whose entry names none; their license file does. */
const unnamed: Readonly<Record<string, string>> = { 'png-js': 'MIT' }

type Locked = { version: string; dev?: boolean; license?: string }

/** The text of THIRD-PARTY.md. Refuses a license that is not among those that may be shipped. */
export function describeThirdParties(lock: { packages: Readonly<Record<string, Locked>> }): string {
  const packages = Object.entries(lock.packages).flatMap(([path, { version, dev, license }]) => {
    const name = path.replace(/^.*node_modules\//, '')
    return path === '' || dev ? [] : [{ name, version, license: license ?? unnamed[name] ?? 'none' }]
  })
  for (const { name, license } of packages) {
    if (!mayShip.has(license))
      throw new PlainError(
        `${name} is under ${license}, which is not among the licenses that may be shipped (tools/third-party.ts).`,
      )
  }
  const byLicense = [...Map.groupBy(packages, ({ license }) => license)].toSorted(([one], [other]) =>
    one.localeCompare(other),
  )
  const lists = byLicense.map(([license, those]) => {
    const names = [...new Set(those.map(({ name, version }) => `${name} ${version}`))].toSorted()
    return `## ${license}\n\n${names.join(', ')}`
  })
  return `${intro}\n\n${lists.join('\n\n')}\n`
}

const intro = `# Packages of others

What is shipped with the store or runs beside it, by license (SPDX), written from package-lock.json by \`npm run generate-types\`. Each package brings
its license and copyright in its own folder under \`node_modules\`; builds for other systems are named, too. Data, map shapes and fonts are in
[THIRD-PARTY-DATA.md](THIRD-PARTY-DATA.md).

**libvips** is under the LGPL 3.0 or later. It comes with sharp as a shared library in a package of its own, loaded at run time and not changed: whoever
runs the store may put another build of it in its place (https://github.com/libvips/libvips, https://sharp.pixelplumbing.com/install).`

/** The same from the project's own lock file. */
export async function generateThirdParties(root: string): Promise<string> {
  return describeThirdParties(
    JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Parameters<typeof describeThirdParties>[0],
  )
}
