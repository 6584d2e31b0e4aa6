import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { technicalMessages } from '#content/messages/technical.ts'
import { useRouteLoaderData } from '#app/router/router.tsx'
import type { Pin } from '#app/ui/draw-map.client.ts'
import { StillMap } from '#app/ui/still-map.tsx'

type Props = {
  /** The shopper's location; null if not given. */
  center: { latitude: number; longitude: number } | null
  pins: readonly Pin[]
  label: string
  note: string
}

/**
 * A map with our data or the operator's style, starting as a static image. The interactive map is larger than the rest
 * of the page. It replaces the image when visible on a large screen, or on request on a small one.
 */
export function ShopMap({ center, pins, label, note }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState('')
  const [isAsked, setIsAsked] = useState(false)
  const screen = useSyncExternalStore(watchWidth, widthNow, () => 'unknown')
  const styleUrl = useRouteLoaderData<{ mapStyle?: string }>('root')?.mapStyle ?? null
  const drawn = JSON.stringify({ center, pins, styleUrl })

  useEffect(() => {
    const element = box.current
    if (!element || screen !== 'large') return
    const watch = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) setIsAsked(true)
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [screen])

  useEffect(() => {
    const element = box.current
    if (!element || !isAsked) return
    let close: (() => void) | undefined
    let isGone = false
    import('#app/ui/draw-map.client.ts')
      .then(({ drawMap }) => {
        const shown = JSON.parse(drawn) as Parameters<typeof drawMap>[1]
        if (!isGone) close = drawMap(element, shown)
      })
      // A browser without WebGL or a connection; the list has everything the map would show.
      .catch(() => setProblem(technicalMessages.noMap))
    return () => {
      isGone = true
      close?.()
    }
  }, [drawn, isAsked])

  return (
    <div className="panel shop-map">
      <StillMap center={center} pins={pins} />
      <div ref={box} className="shop-map-canvas" data-acts="" role="region" aria-label={label} />
      <p className="shop-map-note" role={problem ? 'status' : undefined}>
        {problem || note}
      </p>
      {screen === 'small' && !isAsked ? (
        <button type="button" className="btn small shop-map-open" onClick={() => setIsAsked(true)}>
          Open the map
        </button>
      ) : null}
    </div>
  )
}

const large = '(min-width: 768px)'

function watchWidth(changed: () => void): () => void {
  const query = matchMedia(large)
  query.addEventListener('change', changed)
  return () => query.removeEventListener('change', changed)
}

const widthNow = () => (matchMedia(large).matches ? 'large' : 'small')
