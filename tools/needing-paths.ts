/** Which packages of a lock file need which others. */

/** What the lock file says of a package and what it needs. `name` is only there if it is installed under another one. */
export type LockedPackage = {
  name?: string
  version?: string
  dev?: boolean
  optional?: boolean
  dependencies?: Readonly<Record<string, string>>
  optionalDependencies?: Readonly<Record<string, string>>
  peerDependencies?: Readonly<Record<string, string>>
  devDependencies?: Readonly<Record<string, string>>
}

/**
 * Returns the shortest chain of names from what the project asks for to each package, by its place in the lock file. A
 * package that nothing needs has none.
 */
export function needingPaths(packages: Readonly<Record<string, LockedPackage>>): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>([['', []]])
  // Grows while it is walked: whoever is found is asked what it needs in turn.
  for (const [place, path] of paths) {
    for (const name of neededNames(packages[place])) {
      const found = placeOf(name, place, packages)
      if (found !== undefined && !paths.has(found)) paths.set(found, [...path, name])
    }
  }
  paths.delete('')
  return paths
}

function neededNames(needing: LockedPackage | undefined): string[] {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = needing ?? {}
  return Object.keys({ ...devDependencies, ...peerDependencies, ...optionalDependencies, ...dependencies })
}

/** Where Node finds `name` from `place`: in its own folder, or in the nearest above it. */
function placeOf(name: string, place: string, packages: Readonly<Record<string, LockedPackage>>): string | undefined {
  for (let folder = place; ; folder = folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const found = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (found in packages) return found
    if (folder === '') return undefined
  }
}
