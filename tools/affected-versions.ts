/** Which versions of a package a record in the Open Source Vulnerability format (https://ossf.github.io/osv-schema/) names. */
import semver from 'semver'

/** A change in whether versions are affected, with exactly one of the four fields set. */
export type VersionEvent = {
  introduced?: string | undefined
  fixed?: string | undefined
  last_affected?: string | undefined
  limit?: string | undefined
}

/** Version ranges between events, and single versions. `narrowed` is an npm range that limits ranges without an end. */
export type AffectedVersions = {
  ranges: readonly { type: string; events: readonly VersionEvent[] }[]
  versions: readonly string[]
  narrowed?: string
}

/**
 * Returns whether `version` is affected, and the first fixed version. Undefined if no fix is known. Throws for an
 * invalid version.
 */
export function matchVersion(
  version: string,
  { ranges, versions, narrowed }: AffectedVersions,
): { affected: boolean; fixed: string | undefined } {
  const found = ranges
    .filter(({ type }) => type !== 'GIT')
    .map(({ events }) => ({ events, end: endOfAffected(version, events) }))
    .filter(({ end }) => end !== 'unaffected')
    .filter(({ events }) => narrowed === undefined || hasEnd(events) || isWithin(version, narrowed))
  const fixes = found.flatMap(({ end }) => (typeof end === 'object' ? [end.fixed] : []))
  return {
    affected: found.length > 0 || versions.includes(version),
    fixed: fixes.sort((a, b) => semver.compare(parsed(a), parsed(b)))[0],
  }
}

type End = 'unaffected' | 'affected' | { fixed: string }

/** The events from the lowest version on, and what holds at `version`. */
function endOfAffected(version: string, events: readonly VersionEvent[]): End {
  const limits = events.flatMap(({ limit }) => (limit === undefined ? [] : [limit]))
  if (limits.length > 0 && !limits.some((limit) => limit === '*' || compare(version, limit) < 0)) return 'unaffected'
  const changes = events.flatMap(changeOf).sort((a, b) => compareChanges(a, b))
  let isAffected = false
  for (const change of changes) {
    const order = compare(version, change.at)
    const isPast = change.kind === 'lastAffected' ? order > 0 : order >= 0
    if (isPast) isAffected = change.kind === 'introduced'
    // What follows is about later versions.
    else if (isAffected) return change.kind === 'fixed' ? { fixed: change.at } : 'affected'
  }
  return isAffected ? 'affected' : 'unaffected'
}

type Change = { kind: 'introduced' | 'fixed' | 'lastAffected'; at: string }

function changeOf({ introduced, fixed, last_affected: lastAffected }: VersionEvent): Change[] {
  return [
    ...(introduced === undefined ? [] : [{ kind: 'introduced' as const, at: introduced }]),
    ...(fixed === undefined ? [] : [{ kind: 'fixed' as const, at: fixed }]),
    ...(lastAffected === undefined ? [] : [{ kind: 'lastAffected' as const, at: lastAffected }]),
  ]
}

// Orders events at the same version, because a fix can be followed by a new introduction, and a single version can be
// the only affected one.
const sequence = { fixed: 0, introduced: 1, lastAffected: 2 }

function compareChanges(a: Change, b: Change): number {
  if (a.at === '0' || b.at === '0')
    return Number(b.at === '0') - Number(a.at === '0') || sequence[a.kind] - sequence[b.kind]
  return compare(a.at, b.at) || sequence[a.kind] - sequence[b.kind]
}

function hasEnd(events: readonly VersionEvent[]): boolean {
  return events.some(({ fixed, last_affected: lastAffected, limit }) => (fixed ?? lastAffected ?? limit) !== undefined)
}

function isWithin(version: string, range: string): boolean {
  if (semver.validRange(range) === null) throw new Error(`“${range}” is no range of versions.`)
  return semver.satisfies(version, range, { includePrerelease: true })
}

/** `0` is before every version. */
function compare(version: string, at: string): number {
  return at === '0' ? 1 : semver.compare(parsed(version), parsed(at))
}

/** Records write 1.2 for 1.2.0 here and there. */
function parsed(version: string): semver.SemVer {
  const found = semver.parse(version) ?? semver.coerce(version, { includePrerelease: true })
  if (found === null) throw new Error(`“${version}” is no version.`)
  return found
}
