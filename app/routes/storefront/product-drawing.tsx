import { SizeKey, type SizeKeyPart } from '#app/ui/size-key.tsx'
import { paths } from '#content/paths.ts'
import { describeTire, drawTire, pictureKey, type TirePictureData, type TireView } from '#pictures/pictures.ts'
import type { DrawnView } from './product-view.ts'

/** Renders the first photo, the tire's side view, tread, front, and other photos, and its size. Parts of the size highlight parts of the drawing. */
export function ProductPictures({
  pictures: { drawing, tread, front, photos },
  parts,
}: {
  pictures: DrawnView['pictures']
  parts: SizeKeyPart[]
}) {
  const name = `${drawing.brand} ${drawing.line}`
  const [first, ...others] = photos
  return (
    <div className="product-pictures lights-parts">
      {first ? (
        <figure className="product-photo is-first">
          <img src={first.path} alt={first.description} width={960} height={640} fetchPriority="high" />
        </figure>
      ) : null}
      <Drawing data={drawing} />
      <div className="product-strips">
        <figure>
          <img src={tread} alt={`Tread pattern of ${name}`} width={480} height={150} fetchPriority="high" />
          <figcaption>Tread, unrolled</figcaption>
        </figure>
        <figure>
          <picture>
            <source type="image/avif" srcSet={paths.frontPicture(front.itemId, front.key, 320, 'avif')} />
            <img
              src={paths.frontPicture(front.itemId, front.key, 192, 'webp')}
              alt={`${name} from the side`}
              width={116}
              height={116}
            />
          </picture>
        </figure>
        {others.map(({ path, description }) => (
          <figure key={path} className="product-photo">
            <img src={path} alt={description} loading="lazy" width={480} height={130} />
          </figure>
        ))}
      </div>
      <SizeKey parts={parts} legend={`What ${describeTire(drawing).split(', ').at(-1)} means`} />
    </div>
  )
}

/** The drawing is inline, all 50 kB of it, so that the page's CSS can highlight its parts. */
function Drawing({ data }: { data: TirePictureData }) {
  return <div className="product-drawing" dangerouslySetInnerHTML={{ __html: drawingOf(data) }} />
}

const view: TireView = { detail: 2, parts: true, dimensions: true }
const drawn = new Map<string, string>()
const drawingsKept = 200

/** A drawing takes milliseconds, so the latest are cached, some 10 MB of them. */
function drawingOf(data: TirePictureData): string {
  const key = pictureKey(data, view)
  const drawing = drawn.get(key) ?? drawTire(data, view)
  drawn.delete(key)
  drawn.set(key, drawing)
  const [oldest] = drawn.keys()
  if (drawn.size > drawingsKept && oldest !== undefined) drawn.delete(oldest)
  return drawing
}
