import { useState } from 'react'

/** The center of the wheel, as fractions of the photo's width and height; it may be outside the photo. */
export type Middle = { across: number; down: number }

/** Prompts the shopper to mark the wheel's center if it wasn't detected in the photo. */
export function MiddleOfWheel({ onRead }: { onRead: (middle: Middle) => void }) {
  const [middle, setMiddle] = useState<Middle>({ across: 0.5, down: 0.5 })
  const slider = (part: keyof Middle, label: string) => (
    <label className="field">
      {label}
      <input
        type="range"
        min={-100}
        max={200}
        value={Math.round(middle[part] * 100)}
        aria-valuetext={`${Math.round(middle[part] * 100)} percent`}
        onChange={(event) => setMiddle({ ...middle, [part]: Number(event.currentTarget.value) / 100 })}
      />
    </label>
  )
  return (
    <details className="camera-middle">
      <summary>Show us the middle of the wheel</summary>
      <p className="small muted">
        Letters around the wheel are straightened about this point. Below 0 and above 100 percent it’s outside the
        photo.
      </p>
      {slider('across', 'From the left')}
      {slider('down', 'From the top')}
      <button className="btn" type="button" onClick={() => onRead(middle)}>
        Read again
      </button>
    </details>
  )
}
