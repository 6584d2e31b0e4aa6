type Dependencies = Readonly<Record<string, string>>
type Locked = {
  version: string
  dev?: boolean
  license?: string
  dependencies?: Dependencies
  optionalDependencies?: Dependencies
}
export type Lock = { packages: Readonly<Record<string, Locked>> }

/** The packages at `paths` and all that they depend on, by path in the lock file. */
export function withDependencies(
  { packages }: Lock,
  paths: readonly string[],
  kinds: readonly ('dependencies' | 'optionalDependencies')[] = ['dependencies'],
): Set<string> {
  const found = new Set(paths.filter((path) => path in packages))
  // Iterating a set includes entries added during iteration.
  for (const path of found) {
    for (const name of kinds.flatMap((kind) => Object.keys(packages[path]?.[kind] ?? {}))) {
      const folders = path
        .split('/node_modules/')
        .map((_, depth, parts) => parts.slice(0, depth + 1).join('/node_modules/'))
      const nearest = [
        ...folders.toReversed().map((folder) => `${folder}/node_modules/${name}`),
        `node_modules/${name}`,
      ]
      const dependency = nearest.find((candidate) => candidate in packages)
      if (dependency !== undefined) found.add(dependency)
    }
  }
  return found
}
