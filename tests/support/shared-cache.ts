/**
 * A cache between a store and all who read it, as a content network keeps one: it knows nobody, and goes by
 * Cache-Control and Vary alone (RFC 9111). What says that it may be shared is kept for as long as it says; everything
 * else is asked for anew.
 */
import { readPdf } from '#tests/support/read-pdf.ts'

/** `text`: what can be read in the answer. */
export type SharedAnswer = { status: number; headers: Headers; text: string; isKept: boolean }

type Kept = {
  until: number
  varies: string[]
  asked: Map<string, string | undefined>
  answer: Omit<SharedAnswer, 'isKept'>
}

export type SharedCache = ReturnType<typeof createSharedCache>

/** `ignoresVary`: a careless one, which gives everybody what it kept, whatever they sent along. */
export function createSharedCache(
  origin: string,
  { now = () => performance.now(), ignoresVary = false }: { now?: () => number; ignoresVary?: boolean } = {},
) {
  const kept = new Map<string, Kept[]>()

  return {
    async get(path: string, sent: Readonly<Record<string, string>> = {}): Promise<SharedAnswer> {
      const found = kept
        .get(path)
        ?.find(
          ({ until, varies, asked }) =>
            until > now() && (ignoresVary || varies.every((name) => asked.get(name) === sent[name])),
        )
      if (found) return { ...found.answer, isKept: true }
      const response = await fetch(`${origin}${path}`, {
        redirect: 'manual',
        headers: { 'accept-encoding': 'identity', ...sent },
      })
      const answer = { status: response.status, headers: response.headers, text: await textOf(response) }
      const seconds = sharedSeconds(answer)
      const varies = (answer.headers.get('vary') ?? '')
        .toLowerCase()
        .split(/\s*,\s*/)
        .filter(Boolean)
      if (seconds > 0 && !varies.includes('*')) {
        const entry = {
          until: now() + seconds * 1_000,
          varies,
          asked: new Map(varies.map((name) => [name, sent[name]])),
          answer,
        }
        kept.set(path, [entry, ...(kept.get(path) ?? [])])
      }
      return { ...answer, isKept: false }
    },
    /** Everything that was kept, with where it was asked for. */
    entries: () =>
      [...kept].flatMap(([path, all]) =>
        all.map(({ answer, asked }) => ({ path, ...answer, cookie: asked.get('cookie') })),
      ),
  }
}

/** Everything that can be read in an answer: words of a page run on where React has parted them. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') === 'application/pdf') return readPdf(await response.bytes())
  return (await response.text()).replaceAll('<!-- -->', '')
}

/** For how long an answer may be given to others; 0 where it may not. One that sets a cookie is somebody's. */
function sharedSeconds({ status, headers }: Omit<SharedAnswer, 'isKept'>): number {
  const control = (headers.get('cache-control') ?? '').toLowerCase()
  if (
    status !== 200 ||
    headers.has('set-cookie') ||
    /\b(private|no-store|no-cache)\b/.test(control) ||
    !/\bpublic\b|\bs-maxage=/.test(control)
  )
    return 0
  return Number(/\bs-maxage=(\d+)/.exec(control)?.[1] ?? /\bmax-age=(\d+)/.exec(control)?.[1] ?? 0)
}
