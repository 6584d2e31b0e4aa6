/** A platform's identity and capabilities from its profile. The profile is fetched safely from its URL and cached. */
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { fault, type TransportFault } from '#ucp/answers.ts'
import { versions, type Agent, type Version } from '#ucp/context.ts'
import { capabilityNames, offeredCapabilities, offeringOf, type Offering } from '#ucp/profile.ts'
import { createLimits } from '#http/call-limits.ts'
import type { Application } from '#application'

const longestAddress = 500
/** The limit of profile requests per network and minute, because each is a call to a caller's URL. */
const readsPerMinute = 30
const [leastKeptSeconds, mostKeptSeconds] = [60, 3_600]
/** How long a URL without a valid profile isn't requested again. */
const faultKeptSeconds = 15

const entry = z.object({
  version: z.string().max(20),
  config: z.object({ webhook_url: z.string().max(longestAddress).optional() }).optional(),
})
const profileSchema = z.object({
  ucp: z.object({
    version: z.string().regex(/^\d{4}-\d{2}-\d{2}$/),
    capabilities: z.record(z.string().max(200), z.array(entry).max(20)).default({}),
  }),
  keys: z.array(z.unknown()).max(50).optional(),
  signing_keys: z.array(z.unknown()).max(50).optional(),
})
type Profile = z.output<typeof profileSchema>
type Read = { ok: true; profile: Profile } | { ok: false; fault: TransportFault }

export type Negotiated = { ok: true; agent: Agent } | { ok: false; fault: TransportFault } | { ok: false; fault: null }

/** Creates what reads profiles for one process, with its cache. */
export function createNegotiation(app: Pick<Application, 'callCounts' | 'platforms' | 'config' | 'identity'>): {
  /** `fault: null`: the platform was read, but has no capability in common with the store. */
  agentOf(header: string | undefined, networkKey: string): Promise<Negotiated>
} {
  const kept = new LRUCache<string, Read>({ max: 500, ttl: mostKeptSeconds * 1_000 })
  const reading = new Map<string, Promise<Read>>()
  const limits = createLimits(app.callCounts, 'agent-profiles', readsPerMinute)
  const offering = offeringOf(app)

  return {
    async agentOf(header, networkKey) {
      const address = addressIn(header)
      if (!address)
        return bad(400, 'invalid_profile_url', 'Send UCP-Agent: profile="https://…", the address of your profile.')
      const known = kept.get(address.href)
      if (!known && !reading.has(address.href)) {
        const taken = limits.take(networkKey)
        if (taken.isOver)
          return bad(429, 'rate_limited', 'Too many profiles from your network.', {
            'retry-after': String(taken.resetSeconds),
          })
      }
      const read = known ?? (await readOnce(address))
      return read.ok ? intersect(address.href, read.profile, offering) : read
    },
  }

  function readOnce(address: URL): Promise<Read> {
    const found =
      reading.get(address.href) ??
      readProfile(app.platforms, address)
        .then(({ read, seconds }) => {
          kept.set(address.href, read, { ttl: seconds * 1_000 })
          return read
        })
        .finally(() => reading.delete(address.href))
    reading.set(address.href, found)
    return found
  }
}

function bad(...of: Parameters<typeof fault>): { ok: false; fault: TransportFault } {
  return { ok: false, fault: fault(...of) }
}

/** The profile's address in a `UCP-Agent` header (a dictionary, RFC 8941). */
function addressIn(header: string | undefined): URL | undefined {
  const found = /(?:^|[,;\s])profile="([^"\\\s]{1,500})"/.exec((header ?? '').slice(0, 1_000))?.[1]
  if (found === undefined || !URL.canParse(found)) return undefined
  const address = new URL(found)
  address.hash = ''
  const isWeb = address.protocol === 'https:' || address.protocol === 'http:'
  return isWeb && address.href.length <= longestAddress ? address : undefined
}

async function readProfile(
  platforms: Application['platforms'],
  address: URL,
): Promise<{ read: Read; seconds: number }> {
  const document = await platforms.read(address)
  if (!document.ok) {
    const read =
      document.reason === 'refused'
        ? bad(400, 'invalid_profile_url', 'A profile is at a public https address.')
        : document.reason === 'too-large'
          ? bad(422, 'profile_malformed', 'The profile is larger than 128 KiB.')
          : bad(424, 'profile_unreachable', 'The profile could not be read.')
    return { read, seconds: faultKeptSeconds }
  }
  const { text, maxAgeSeconds } = document.value
  const parsed = profileSchema.safeParse(jsonIn(text))
  return parsed.success
    ? {
        read: { ok: true, profile: parsed.data },
        seconds: Math.min(Math.max(maxAgeSeconds ?? 0, leastKeptSeconds), mostKeptSeconds),
      }
    : { read: bad(422, 'profile_malformed', 'This is no profile of a platform.'), seconds: faultKeptSeconds }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What both have, each in the same version; an extension only with what it extends. */
function intersect(platform: string, profile: Profile, offering: Offering): Negotiated {
  const version = versions.find((each): each is Version => each === profile.ucp.version)
  if (!version)
    return bad(
      422,
      'version_unsupported',
      `Protocol version ${profile.ucp.version} is not supported. This store supports ${versions.join(' and ')}.`,
    )
  const offered = offeredCapabilities(offering, version)
  const theirs = profile.ucp.capabilities
  const shared = new Set(
    [...offered]
      .filter(([name, { version: ours }]) => (theirs[name] ?? []).some((each) => each.version === ours))
      .map(([name]) => name),
  )
  const capabilities = new Set(
    [...shared].filter((name) => {
      const parents = offered.get(name)?.extends ?? []
      const all = typeof parents === 'string' ? [parents] : parents
      return all.length === 0 || all.some((parent) => shared.has(parent))
    }),
  )
  if (capabilities.size === 0) return { ok: false, fault: null }
  const webhooks = (theirs[capabilityNames.order] ?? []).flatMap(({ config }) => config?.webhook_url ?? [])
  const webhookUrl = webhooks.find((url) => /^https?:\/\/./.test(url) && URL.canParse(url) && url.length >= 10) ?? null
  const keys = profile.keys ?? profile.signing_keys ?? []
  return { ok: true, agent: { platform, version, capabilities, webhookUrl, keys } }
}
