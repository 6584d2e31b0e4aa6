/**
 * A shared cache in front of a store, like a CDN's. It ignores identity and follows only Cache-Control and Vary (RFC
 * 9111). Publicly cacheable responses are stored for their lifetime; everything else is requested again.
 */
import { readPdf } from '#tests/support/read-pdf.ts'

/** `text`: the readable content of the response. */
export type SharedAnswer = { status: number; headers: Headers; text: string; isKept: boolean }

type Kept = {
  until: number
  varies: string[]
  asked: Map<string, string | undefined>
  answer: Omit<SharedAnswer, 'isKept'>
}

export type SharedCache = ReturnType<typeof createSharedCache>

/** `ignoresVary`: a faulty cache that returns stored responses regardless of request headers. */
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
    /** All stored responses, with their addresses. */
    entries: () =>
      [...kept].flatMap(([path, all]) =>
        all.map(({ answer, asked }) => ({ path, ...answer, cookie: asked.get('cookie') })),
      ),
  }
}

/** All readable text of a response, joining words that React's markers split. */
export async function textOf(response: Response): Promise<string> {
  if (response.headers.get('content-type') === 'application/pdf') return readPdf(await response.bytes())
  return (await response.text()).replaceAll('<!-- -->', '')
}

/** How long a response may be shared, in seconds; 0 if not at all. One that sets a cookie is private. */
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
