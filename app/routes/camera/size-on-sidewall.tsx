/** Where to find the size on a tire, and what its three numbers mean. */
export function SizeOnSidewall() {
  return (
    <figure className="camera-drawing">
      <svg viewBox="0 0 400 250" role="img" aria-labelledby="camera-drawing-title">
        <title id="camera-drawing-title">
          The lower half of a tire. 225/65R17 102H is between the rim and the tread: 225 is the width, 65 the ratio, 17
          the wheel.
        </title>
        <path className="drawn-rubber" d="M8 0a192 192 0 0 0 384 0h-84a108 108 0 0 1-216 0Z" />
        <path className="drawn-rib" d="M20 0a180 180 0 0 0 360 0M84 0a116 116 0 0 0 232 0" />
        <path id="camera-arc" fill="none" d="M46.600 26a156 156 0 0 0 306.800 0" />
        <text className="drawn-size" textAnchor="middle">
          <textPath href="#camera-arc" startOffset="50%">
            <tspan className="drawn-part">225</tspan>/<tspan className="drawn-part">65</tspan>R
            <tspan className="drawn-part">17</tspan>
            <tspan className="drawn-rest"> 102H</tspan>
          </textPath>
        </text>
        <g className="drawn-names" textAnchor="middle">
          <path d="M82 124 64 212M148 158l2 54M230 160l22 52" />
          <text x="62" y="230">
            width
          </text>
          <text x="150" y="230">
            ratio
          </text>
          <text x="258" y="230">
            wheel
          </text>
        </g>
      </svg>
      <figcaption className="small muted">
        Look between rim and tread for three digits, a slash, two digits, R, two digits. Trucks may have LT in front, or
        inches as in 35X12.50R17. The letters may be anywhere around the tire.
      </figcaption>
    </figure>
  )
}
