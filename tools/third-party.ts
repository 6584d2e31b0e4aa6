/**
 * Generates THIRD-PARTY.md from the lock file: the packages shipped with the store or run next to it, by license.
 * Refuses licenses that are incompatible with the store's.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PlainError } from '#platform/plain-error.ts'
import type { Lock } from './locked-packages.ts'

export const thirdPartyFile = 'THIRD-PARTY.md'

/** Allowed SPDX licenses (permissive ones, fonts, and the LGPL for libraries in separate files). */
const mayShip = new Set([
  '(AFL-2.1 OR BSD-3-Clause)',
  '(MIT OR CC0-1.0)',
  '(MIT AND Zlib)',
  '(MIT OR Apache-2.0)',
  '0BSD',
  'Unlicense',
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
/** Additional licenses for build and test packages, which aren't shipped. */
const mayBuildWith = new Set([...mayShip, 'Apache-2.0 AND MIT', 'CC-BY-4.0', 'MPL-2.0', 'PSF-2.0'])
/** Packages without a license in their entry; these are from their license files. */
const unnamed: Readonly<Record<string, string>> = { 'png-js': 'MIT', ssh2: 'MIT' }

/** Development packages from which the build copies a file into the product. */
const copiedByBuild = ['node_modules/swagger-ui-dist']

/** Returns the text of THIRD-PARTY.md. Refuses a license that is not allowed for what its package is used for. */
export function describeThirdParties(lock: Lock): string {
  const packages = Object.entries(lock.packages).flatMap(([path, { version, dev, license }]) => {
    const name = path.replace(/^.*node_modules\//, '')
    const isShipped = !dev || copiedByBuild.includes(path)
    return path === '' ? [] : [{ name, version, isShipped, license: license ?? unnamed[name] ?? 'none' }]
  })
  for (const { name, license, isShipped } of packages) {
    const [allowed, use] = isShipped ? [mayShip, 'may be shipped'] : [mayBuildWith, 'the project may be built with']
    if (!allowed.has(license))
      throw new PlainError(
        `${name} is under ${license}, which is not among the licenses that ${use} (tools/third-party.ts).`,
      )
  }
  const shipped = packages.filter(({ isShipped }) => isShipped)
  const byLicense = [...Map.groupBy(shipped, ({ license }) => license)].toSorted(([one], [other]) =>
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
its license and copyright in its own folder under \`node_modules\`; builds for other systems are named, too. The API page has a script of
swagger-ui-dist; that package lists what the script contains in swagger-ui-bundle.js.LICENSE.txt. Data, map shapes and fonts are in
[THIRD-PARTY-DATA.md](THIRD-PARTY-DATA.md).

**libvips** is under the LGPL 3.0 or later. It comes with sharp as a shared library in a package of its own, loaded at run time and not changed: whoever
runs the store may put another build of it in its place (https://github.com/libvips/libvips, https://sharp.pixelplumbing.com/install).`

/** The same for the project's own lock file. */
export async function generateThirdParties(root: string): Promise<string> {
  return describeThirdParties(JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as Lock)
}
