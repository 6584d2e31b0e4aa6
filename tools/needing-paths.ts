/** Which packages of a lock file need which others. */

/** A package's entry in the lock file and its dependencies. `name` is set only if it's installed under another name. */
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
 * Returns the shortest dependency chain from the project to each package, by its path in the lock file. Unused packages
 * have no chain.
 */
export function needingPaths(packages: Readonly<Record<string, LockedPackage>>): Map<string, readonly string[]> {
  const paths = new Map<string, readonly string[]>([['', []]])
  // The map grows during iteration with each package's dependencies.
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

/** Returns where Node finds `name` from `place`, either in its own folder or in the closest parent. */
function placeOf(name: string, place: string, packages: Readonly<Record<string, LockedPackage>>): string | undefined {
  for (let folder = place; ; folder = folder.replace(/\/?node_modules\/(@[^/]+\/)?[^/]+$/, '')) {
    const found = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    if (found in packages) return found
    if (folder === '') return undefined
  }
}
