import { useState } from 'react'
import { readingEngineFolder } from '#app/server/reading-engine.ts'
import { paths } from '#content/paths.ts'
import { Crumbs } from '#app/ui/crumbs.tsx'
import { pageHead } from '#app/ui/page-head.ts'
import styles from '#app/ui/styles/camera.css?url'
import type { Route } from './+types/camera.ts'
import { PhotoPanel } from './photo-panel.tsx'
import { SizeOnSidewall } from './size-on-sidewall.tsx'

export const links: Route.LinksFunction = () => [{ rel: 'stylesheet', href: styles }]

export const meta: Route.MetaFunction = ({ matches }) =>
  pageHead(matches, {
    title: 'Read the size off your tire',
    description:
      'Point your camera at the sidewall, or choose a photo. We read the size on your device, and the photo never leaves it.',
    path: paths.sizeCamera(),
  })

export function headers() {
  return { 'Cache-Control': 'public, s-maxage=600' }
}

export function loader() {
  return { engine: readingEngineFolder() }
}

export default function SizeCamera({ loaderData: { engine } }: Route.ComponentProps) {
  const [size, setSize] = useState('')
  return (
    <div className="wrap camera-page">
      <Crumbs crumbs={[{ label: 'Sizes', path: paths.sizes() }]} here="Camera" />
      <h1>Read the size off your tire</h1>
      <p className="camera-lead">
        Point the camera at the sidewall, or choose a photo. We read it on this device, and the picture never leaves
        your phone.
      </p>
      <div className="camera-columns">
        <PhotoPanel engine={engine} setSize={setSize} />
        <section aria-labelledby="camera-type">
          <h2 id="camera-type">Or type what you see</h2>
          <form className="camera-form" action={paths.find()}>
            <input type="hidden" name="by" value="size" />
            <label className="field" htmlFor="camera-size">
              Size on the sidewall
              <input
                className="input tabular"
                id="camera-size"
                name="size"
                value={size}
                onChange={(event) => setSize(event.currentTarget.value)}
                placeholder="225/65R17"
                maxLength={40}
                autoComplete="off"
                autoCapitalize="characters"
                spellCheck={false}
                required
              />
            </label>
            <button className="btn">Show tires</button>
          </form>
          <SizeOnSidewall />
          <p className="small">
            <a href={paths.sidewallGuide()}>What every marking means</a>. The same size comes for different loads and
            speeds. Before you order, we compare them with the label at your driver’s door.
          </p>
        </section>
      </div>
    </div>
  )
}
