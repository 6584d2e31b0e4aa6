import { TirePicture, type PictureRef } from './tire-picture.tsx'

/** A tire as a price summary names it. */
export type SummaryTire = {
  key: string
  picture: PictureRef
  /** Brand and model; the size and service description are in `size`. */
  name: string
  size: string
  quantity: number
}

/** The tires that a price is for, above the price. */
export function SummaryTires({ tires }: { tires: readonly SummaryTire[] }) {
  if (tires.length === 0) return null
  return (
    <ul className="summary-lines" aria-label="Tires">
      {tires.map(({ key, picture, name, size, quantity }) => (
        <li key={key}>
          <TirePicture picture={picture} alt="" size={64} eager />
          <div>
            <p className="strong">{name}</p>
            <p className="small muted tabular">{size}</p>
            <p className="small tabular">Quantity: {quantity}</p>
          </div>
        </li>
      ))}
    </ul>
  )
}
