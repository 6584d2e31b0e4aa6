/** Renders cars from above with their tire positions. */
import { useId } from 'react'

type Corner = 'frontLeft' | 'frontRight' | 'rearLeft' | 'rearRight'

const at: Record<Corner, readonly [x: number, y: number]> = {
  frontLeft: [14, 26],
  frontRight: [66, 26],
  rearLeft: [14, 94],
  rearRight: [66, 94],
}

type Pattern = {
  readonly name: string
  readonly note: string
  readonly moves: readonly (readonly [from: Corner, to: Corner])[]
}

const patterns: readonly Pattern[] = [
  {
    name: 'Forward cross',
    note: 'Front-wheel drive',
    moves: [
      ['frontLeft', 'rearLeft'],
      ['frontRight', 'rearRight'],
      ['rearLeft', 'frontRight'],
      ['rearRight', 'frontLeft'],
    ],
  },
  {
    name: 'Rearward cross',
    note: 'Rear and all-wheel drive',
    moves: [
      ['rearLeft', 'frontLeft'],
      ['rearRight', 'frontRight'],
      ['frontLeft', 'rearRight'],
      ['frontRight', 'rearLeft'],
    ],
  },
  {
    name: 'Front to back',
    note: 'Directional tread',
    moves: [
      ['frontLeft', 'rearLeft'],
      ['rearLeft', 'frontLeft'],
      ['frontRight', 'rearRight'],
      ['rearRight', 'frontRight'],
    ],
  },
  {
    name: 'Side to side',
    note: 'Two sizes',
    moves: [
      ['frontLeft', 'frontRight'],
      ['frontRight', 'frontLeft'],
      ['rearLeft', 'rearRight'],
      ['rearRight', 'rearLeft'],
    ],
  },
]

/** Four rotation patterns; the front of the car is up. */
export function Rotation() {
  const arrow = useId().replaceAll(/\W/g, '')
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 366"
        role="img"
        aria-label={patterns.map(({ name, note }) => `${name}: ${note.toLowerCase()}`).join('. ')}
      >
        <defs>
          <marker id={arrow} viewBox="0 0 8 8" refX="6" refY="4" markerWidth="5" markerHeight="5" orient="auto">
            <path className="fill-signal-deep" d="M0 0 8 4 0 8Z" />
          </marker>
        </defs>
        {patterns.map(({ name, note, moves }, index) => (
          <g key={name} transform={`translate(${(index % 2) * 186 + 46} ${Math.floor(index / 2) * 184 + 4})`}>
            <rect className="car" x="12" y="6" width="56" height="110" rx="16" />
            {Object.entries(at).map(([corner, [x, y]]) => (
              <rect key={corner} className="fill-rubber" x={x - 7} y={y - 14} width="14" height="28" rx="3" />
            ))}
            {moves.map(([from, to]) => (
              <path key={from} className="move" d={moveOf(from, to)} markerEnd={`url(#${arrow})`} />
            ))}
            <text className="strong middle" x="40" y="142">
              {name}
            </text>
            <text className="fine middle" x="40" y="159">
              {note}
            </text>
          </g>
        ))}
      </svg>
      <figcaption>The front of each car is up.</figcaption>
    </figure>
  )
}

/** From one wheel to another; two that swap places pass with some distance. */
function moveOf(from: Corner, to: Corner): string {
  const [[x, y], [toX, toY]] = [at[from], at[to]]
  if (x === toX) {
    const beside = x < 40 ? (y < toY ? -14 : 13) : y < toY ? 14 : -13
    return `M${x + beside} ${y + (y < toY ? 8 : -8)}V${toY + (y < toY ? -6 : 6)}`
  }
  if (y === toY) return `M${x + (x < toX ? 10 : -10)} ${y + (x < toX ? -6 : 6)}H${toX + (x < toX ? -10 : 10)}`
  return `M${x + (x < toX ? 9 : -9)} ${y + (y < toY ? 14 : -14)}L${toX + (x < toX ? -9 : 9)} ${toY + (y < toY ? -16 : 16)}`
}

/** Renders a staggered car with narrower tires in front and wider tires in the rear. */
export function Staggered() {
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 190"
        role="img"
        aria-label="A car from above: 245/35R19 in front, wider 275/35R19 in the rear."
      >
        <rect className="car" x="136" y="8" width="88" height="172" rx="26" />
        {[
          { y: 40, width: 22, size: '245/35R19', note: 'front' },
          { y: 126, width: 32, size: '275/35R19', note: 'rear' },
        ].map(({ y, width, size, note }) => (
          <g key={note}>
            <rect className="fill-rubber" x={140 - width / 2} y={y - 22} width={width} height="44" rx="4" />
            <rect className="fill-rubber" x={220 - width / 2} y={y - 22} width={width} height="44" rx="4" />
            <path className="stroke-signal" d={`M${220 - width / 2} ${y + 28}h${width}`} />
            <text className="strong" x="250" y={y}>
              {size}
            </text>
            <text className="fine" x="250" y={y + 18}>
              {note}
            </text>
          </g>
        ))}
        <text className="fine end" x="112" y="44">
          steers
        </text>
        <text className="fine end" x="112" y="130">
          drives
        </text>
      </svg>
      <figcaption>Two sizes, two pressures, two load indexes. We check each axle separately.</figcaption>
    </figure>
  )
}
