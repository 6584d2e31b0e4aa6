/** The drawings in articles. All are 360 wide, so that their lettering stays readable on a phone. */
import type { ReactNode } from 'react'
import { grouped, loadOf, parseTireSize, tireGeometry } from '#domain/kernel/tire-sizes/tire-sizes.ts'
import { salesTaxNames } from '#domain/pricing/pricing/pricing.ts'
import { countOf } from '#platform/count-text.ts'
import { Contact, RepairZone, SnowMarks, TreadDepth } from './drawings-tread.tsx'
import { Rotation, Staggered } from './drawings-cars.tsx'

/** By the name in `<figure id="drawing-…">`. */
export const drawings: Readonly<Record<string, () => ReactNode>> = {
  load: Load,
  height: Height,
  label: DoorLabel,
  tin: Tin,
  total: Total,
  rotation: Rotation,
  staggered: Staggered,
  contact: Contact,
  repair: RepairZone,
  'snow-marks': SnowMarks,
  'tread-depth': TreadDepth,
}

/** Load indexes as bars, from the table the store uses. */
function Load() {
  const indexes = [94, 98, 102, 108, 113, 121].map((index) => ({ index, lb: loadOf(index)?.lb ?? 0 }))
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 206"
        role="img"
        aria-label={`What one tire carries: ${indexes.map(({ index, lb }) => `load index ${index}, ${countOf(lb, 'pound')}`).join('; ')}.`}
      >
        {indexes.map(({ index, lb }, row) => (
          <g key={index} transform={`translate(0 ${row * 34 + 4})`}>
            <text className="number" x="0" y="19">
              {index}
            </text>
            <rect
              className={index === 102 ? 'fill-signal' : 'fill-rubber'}
              x="44"
              y="3"
              width={(lb / 3200) * 236}
              height="22"
              rx="3"
            />
            <text x={44 + (lb / 3200) * 236 + 8} y="19">
              {grouped(lb)} lb
            </text>
          </g>
        ))}
      </svg>
      <figcaption>What one tire carries at full pressure. 225/65R17 102H is a common crossover size.</figcaption>
    </figure>
  )
}

/** Two sizes on one baseline, with the 3 percent band. */
function Height() {
  const of = (text: string) => {
    const size = parseTireSize(text)
    const { overallDiameterMm = 0, rimIn } = size ? tireGeometry(size) : { rimIn: 0 }
    return { radius: overallDiameterMm * 0.105, rim: rimIn * 25.4 * 0.105 }
  }
  const [listed, tall] = [of('225/65R17'), of('245/70R17')]
  const ground = 182
  const top = (share: number) => ground - 2 * listed.radius * share
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 218"
        role="img"
        aria-label="225/65R17 beside 245/70R17 on the same ground. The second is 7 percent taller and rises out of the band of 3 percent."
      >
        <rect className="fill-go" x="0" y={top(1.03)} width="360" height={top(0.97) - top(1.03)} />
        <path className="line" d={`M0 ${ground}H360`} />
        {[
          { x: 88, wheel: listed, name: '225/65R17', note: '28.5 in' },
          { x: 264, wheel: tall, name: '245/70R17', note: '30.5 in, 7 % taller' },
        ].map(({ x, wheel, name, note }) => (
          <g key={name}>
            <circle className="fill-rubber" cx={x} cy={ground - wheel.radius} r={wheel.radius} />
            <circle className="fill-chalk" cx={x} cy={ground - wheel.radius} r={wheel.rim} />
            <text className="strong middle" x={x} y={ground - wheel.radius + 5}>
              {name}
            </text>
            <text className="middle" x={x} y={ground + 22}>
              {note}
            </text>
          </g>
        ))}
      </svg>
      <figcaption>The green band is 3 percent up and down from the listed height.</figcaption>
    </figure>
  )
}

/** The tire placard. */
function DoorLabel() {
  const rows = [
    ['FRONT', '225/65R17 102H', '35 PSI'],
    ['REAR', '225/65R17 102H', '35 PSI'],
    ['SPARE', 'T165/90D17 105M', '60 PSI'],
  ]
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 196"
        role="img"
        aria-label="An example of a tire and loading label: seating capacity 5, combined weight of occupants and cargo 900 pounds, front and rear 225/65R17 102H at 35 psi cold, spare T165/90D17 at 60 psi."
      >
        <rect className="fill-chalk edge" x="1" y="1" width="358" height="194" rx="6" />
        <path className="fill-rubber" d="M7 1H353a6 6 0 0 1 6 6V34H1V7A6 6 0 0 1 7 1Z" />
        <text className="on-dark strong middle" x="180" y="23">
          TIRE AND LOADING INFORMATION
        </text>
        <text x="14" y="58">
          SEATING CAPACITY 5: FRONT 2, REAR 3
        </text>
        <text className="fine" x="14" y="78">
          Occupants and cargo never more than 900 lb
        </text>
        <path className="line" d="M1 90H359" />
        <text className="fine" x="14" y="108">
          TIRE
        </text>
        <text className="fine" x="84" y="108">
          SIZE
        </text>
        <text className="fine" x="252" y="108">
          COLD PRESSURE
        </text>
        {rows.map(([tire, size, pressure], row) => (
          <g key={tire} transform={`translate(0 ${132 + row * 24})`}>
            <text x="14">{tire}</text>
            <text className="strong" x="84">
              {size}
            </text>
            <text className="strong" x="252">
              {pressure}
            </text>
          </g>
        ))}
      </svg>
      <figcaption>An example. Yours may leave out load index and speed rating.</figcaption>
    </figure>
  )
}

/** The tire identification number with its parts underlined. */
function Tin() {
  const parts = [
    { text: 'DOT', x: 0, width: 58, name: 'standard' },
    { text: '7B3', x: 74, width: 56, name: 'plant' },
    { text: 'KXYZ92', x: 146, width: 112, name: 'maker’s code' },
    { text: '2326', x: 274, width: 78, name: 'week, year', isLit: true },
  ]
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 96"
        role="img"
        aria-label="DOT 7B3 KXYZ92 2326: 7B3 is the plant, KXYZ92 the maker’s own code, 2326 week 23 of 2026."
      >
        <rect className="fill-rubber" x="-6" y="0" width="372" height="96" rx="6" />
        {parts.map(({ text, x, width, name, isLit }) => (
          <g key={text} transform={`translate(${x + 4} 0)`}>
            <text className="molded" x={width / 2} y="46" textLength={width - 6} lengthAdjust="spacingAndGlyphs">
              {text}
            </text>
            <path className={isLit ? 'stroke-signal' : 'stroke-quiet'} d={`M2 58H${width - 2}`} />
            <text className="on-dark fine middle" x={width / 2} y="78">
              {name}
            </text>
          </g>
        ))}
      </svg>
      <figcaption>Made in the 23rd week of 2026, the first week of June.</figcaption>
    </figure>
  )
}

/** A total and its lines, with sample figures that add up. */
function Total() {
  const lines = [
    ['4 tires at $148.00', 59_200],
    ['Installation', 8_800],
    ['Sensor service kits', 2_400],
    ['Old tire disposal', 1_400],
    ['Discount, 4 installed', -2_500],
    ['State tire fee', 1_000],
    [salesTaxNames.charged, 6_314],
  ] as const
  const dollars = (cents: number) => `${cents < 0 ? '−' : ''}$${(Math.abs(cents) / 100).toFixed(2)}`
  const total = lines.reduce((sum, [, cents]) => sum + cents, 0)
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 250"
        role="img"
        aria-label={`A sample total: ${lines.map(([name, cents]) => `${name} ${dollars(cents)}`).join(', ')}. Together ${dollars(total)}.`}
      >
        {lines.map(([name, cents], row) => (
          <g key={name} transform={`translate(0 ${row * 30})`}>
            <text x="0" y="18">
              {name}
            </text>
            <rect
              className={cents < 0 ? 'fill-go-strong' : row === 0 ? 'fill-rubber' : 'fill-signal'}
              x="158"
              y="6"
              width={Math.max(3, (Math.abs(cents) / 59_200) * 110)}
              height="14"
              rx="2"
            />
            <text className="end tabular" x="360" y="18">
              {dollars(cents)}
            </text>
          </g>
        ))}
        <path className="line" d="M0 216H360" />
        <text className="strong" x="0" y="240">
          Out the door
        </text>
        <text className="strong end tabular" x="360" y="240">
          {dollars(total)}
        </text>
      </svg>
      <figcaption>Sample figures. In listings the same lines come from the shop and the state of your ZIP.</figcaption>
    </figure>
  )
}
