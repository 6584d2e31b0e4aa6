import { useEffect, useState } from 'react'
import type { OfficeCounts } from '#app/views/office/counts.server.ts'
import { officePaths } from '#content/office-paths.ts'

const everyMs = 20_000

/** The page's counts, updated while it is visible. Failed requests are retried. */
export function useCounts(first: OfficeCounts): OfficeCounts {
  const [counts, setCounts] = useState(first)
  useEffect(() => {
    const gone = new AbortController()
    let etag: string | null = null
    const ask = async () => {
      if (document.visibilityState === 'hidden') return
      const headers: Record<string, string> = etag === null ? {} : { 'if-none-match': etag }
      const answer = await fetch(officePaths.officeCounts(), { headers, signal: gone.signal, redirect: 'error' })
      if (!answer.ok) return
      etag = answer.headers.get('etag')
      setCounts((await answer.json()) as OfficeCounts)
    }
    const look = () => void ask().catch(() => {})
    const timer = setInterval(look, everyMs)
    document.addEventListener('visibilitychange', look)
    return () => {
      gone.abort()
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return counts
}
