/** A road with its tire, shown as an outline for a missing page, and flat for an error. */
export function ErrorDrawing({ isMissing }: { isMissing: boolean }) {
  return (
    <svg className="error-drawing" viewBox="0 0 320 260" aria-hidden="true">
      <path className="road-edge" d="M0 222h320" />
      <path className="road-dashes" d="M8 244h304" />
      {isMissing ? <Outline /> : <FlatTire />}
    </svg>
  )
}

function Outline() {
  return (
    <>
      <circle className="gone" cx="160" cy="126" r="95" />
      <circle className="gone" cx="160" cy="126" r="52" />
      <path className="track" d="M0 214h34m8 0h26m8 0h18m8 0h10" />
    </>
  )
}

function FlatTire() {
  return (
    <>
      <path
        className="rubber"
        d="M160 40c54 0 92 42 92 92 0 34-8 52 8 74 10 14 2 16-14 16H74c-16 0-24-2-14-16 16-22 8-40 8-74 0-50 38-92 92-92Z"
      />
      {treads.map((angle) => (
        <path key={angle} className="tread" d="M160 41v9" transform={`rotate(${angle} 160 132)`} />
      ))}
      <circle className="rim" cx="160" cy="142" r="54" />
      {spokes.map((angle) => (
        <path key={angle} className="spoke" d="M160 130V96" transform={`rotate(${angle} 160 142)`} />
      ))}
      <circle className="hub" cx="160" cy="142" r="11" />
      <path className="nail" d="m262 176 22-16m-6-5 12 9" />
    </>
  )
}

const treads = [-84, -72, -60, -48, -36, -24, -12, 0, 12, 24, 36, 48, 60, 72, 84]
const spokes = [0, 72, 144, 216, 288]
