import { useEffect, useRef, useState } from 'react'
import type { Pin } from '#app/routes/checkout/draw-map.client.ts'
import type { ShopView } from '#app/routes/checkout/shipping-view.server.ts'

type Point = { latitude: number | null; longitude: number | null }

/** The same shops as the list, on a map drawn from our own data. It comes after the page, and the list works without it. */
export function ShopMap({ center, shops }: { center: Point; shops: ShopView[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState('')
  const points = JSON.stringify(
    shops.map(({ id, letter, name, latitude, longitude, openings, isChosen }) => ({
      id,
      letter,
      name,
      latitude,
      longitude,
      time: openings[0]?.label ?? '',
      isChosen,
    })),
  )

  useEffect(() => {
    const element = box.current
    if (!element) return
    let close: (() => void) | undefined
    let isGone = false
    import('#app/routes/checkout/draw-map.client.ts')
      .then(({ drawMap }) => {
        if (!isGone) close = drawMap(element, { latitude: center.latitude ?? 0, longitude: center.longitude ?? 0 }, JSON.parse(points) as Pin[])
      })
      // A browser without WebGL, or no connection: the list says everything the map would.
      .catch(() => setProblem('Google Map cannot be loaded right now'))
    return () => {
      isGone = true
      close?.()
    }
  }, [center.latitude, center.longitude, points])

  return (
    <div className="panel shop-map">
      <div ref={box} className="shop-map-canvas" role="region" aria-label="Map of the shops in the list" />
      <p className="shop-map-note" role={problem ? 'status' : undefined}>
        {problem || 'Same shops as the list'}
      </p>
    </div>
  )
}
