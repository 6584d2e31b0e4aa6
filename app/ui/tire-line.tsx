import type { ReactNode } from 'react'
import type { LineView } from '#app/views/checkout.server.ts'
import { TirePicture } from './tire-picture.tsx'

/** An item in a tire list, with image, name and size; `children` adds details, and `aside` is on the opposite side. */
export function TireLine({ line, aside, children }: { line: LineView; aside?: ReactNode; children?: ReactNode }) {
  return (
    <li>
      <TirePicture picture={{ itemId: line.itemId, key: line.picture }} alt="" size={64} eager />
      <div>
        <p className="strong">
          {line.brand} {line.line}
        </p>
        <p className="small muted tabular">
          {line.size} {line.service}
          {line.axle === 'all' ? '' : `, ${line.axle} axle`}
        </p>
        {children}
      </div>
      {aside}
    </li>
  )
}
