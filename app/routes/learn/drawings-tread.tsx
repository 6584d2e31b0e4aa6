/** Renders the tread and the contact patch. */

/** Three cross sections of a groove, new to worn, with the wear bar. */
export function TreadDepth() {
  const cuts = [
    { depth: 10, name: '10/32', note: 'New' },
    { depth: 4, name: '4/32', note: 'Wet grip goes' },
    { depth: 2, name: '2/32', note: 'Worn out' },
  ]
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 150"
        role="img"
        aria-label="Three cuts through a tread: 10/32 inch new, 4/32 where wet grip goes, 2/32 level with the wear bar."
      >
        {cuts.map(({ depth, name, note }, index) => {
          const floor = 96
          const top = floor - depth * 7.5
          return (
            <g key={name} transform={`translate(${index * 124} 0)`}>
              <path className="fill-rubber" d={`M0 ${top}H30V${floor}H44V${top}H68V${floor}H82V${top}H112V110H0Z`} />
              <path className="fill-signal" d={`M30 ${floor - 15}H44V${floor}H30Z`} />
              <text className="strong middle" x="56" y="130">
                {name} in
              </text>
              <text className="fine middle" x="56" y="147">
                {note}
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption>
        The yellow block is a wear bar, 2/32 inch high. When the tread is level with it, the tire is done.
      </figcaption>
    </figure>
  )
}

/** The contact patch at three pressures. */
export function Contact() {
  const cases = [
    {
      name: 'Too low',
      note: 'Shoulders',
      line: 'M8 84Q56 60 104 84',
      patches: [
        [8, 26],
        [78, 26],
      ],
    },
    { name: 'Placard pressure', note: 'Even', line: 'M8 84H104', patches: [[8, 96]] },
    { name: 'Too high', note: 'Middle', line: 'M8 66Q56 102 104 66', patches: [[36, 40]] },
  ]
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 160"
        role="img"
        aria-label="Contact with the road. Underinflated tires wear the shoulders, overinflated tires wear the middle, and placard pressure uses the whole tread."
      >
        {cases.map(({ name, note, line, patches }, index) => (
          <g key={name} transform={`translate(${index * 124} 0)`}>
            <path className="fill-rubber" d={`${line}V40Q104 10 84 10H28Q8 10 8 40Z`} />
            <path className="line" d="M-2 88H114" />
            {patches.map(([x, width]) => (
              <rect key={x} className="fill-signal" x={x} y="90" width={width} height="12" rx="2" />
            ))}
            <text className="strong middle" x="56" y="128">
              {note}
            </text>
            <text className="fine middle" x="56" y="147">
              {name}
            </text>
          </g>
        ))}
      </svg>
      <figcaption>Yellow is what carries the car, and what wears.</figcaption>
    </figure>
  )
}

/** Where a puncture can be repaired. */
export function RepairZone() {
  return (
    <figure className="drawing">
      <svg
        viewBox="0 0 360 178"
        role="img"
        aria-label="Cross-section of a tire. Punctures between the outer grooves can be repaired. Punctures in shoulders and sidewalls can’t."
      >
        <path
          className="fill-rubber"
          d="M30 160V84Q30 30 84 24H276Q330 30 330 84V160H306V92Q306 60 276 56H84Q54 60 54 92V160Z"
        />
        <path className="fill-go-strong" d="M96 24H264V56H96Z" />
        <path className="fill-stop" d="M96 24H84Q30 30 30 84V160H54V92Q54 60 84 56H96Z" />
        <path className="fill-stop" d="M264 24H276Q330 30 330 84V160H306V92Q306 60 276 56H264Z" />
        <path className="fill-paper" d="M96 22h10v16H96ZM148 22h8v14h-8ZM204 22h8v14h-8ZM254 22h10v16h-10Z" />
        <text className="strong middle" x="180" y="90">
          Up to 1/4 inch
        </text>
        <text className="middle" x="180" y="110">
          between the outer grooves
        </text>
        <text className="fine middle" x="180" y="150">
          Never in shoulder or sidewall
        </text>
      </svg>
      <figcaption>Green can be repaired by stem and patch together. Red is where the tire bends.</figcaption>
    </figure>
  )
}

/** The two snow markings. */
export function SnowMarks() {
  return (
    <figure className="drawing">
      <svg viewBox="0 0 360 150" role="img" aria-label="M+S next to a mountain with three peaks and a snowflake in it.">
        <rect className="fill-rubber" x="0" y="0" width="172" height="112" rx="6" />
        <rect className="fill-rubber" x="188" y="0" width="172" height="112" rx="6" />
        <text className="molded large" x="86" y="70">
          M+S
        </text>
        <g className="stroke-on-dark" transform="translate(274 60) scale(4)">
          <path d="M-10 8L-6.2-1.5-4.6.6 0-9 4.6.6 6.2-1.5 10 8Z" />
          <path
            className="thin"
            d="M0-3.6V6.4M-4.3-1.1 4.3 3.9M4.3-1.1-4.3 3.9M-1.2-2.6 0-1.6 1.2-2.6M-1.2 5.4 0 4.4 1.2 5.4"
          />
        </g>
        <text className="strong middle" x="86" y="138">
          A pattern
        </text>
        <text className="strong middle" x="274" y="138">
          A test in snow
        </text>
      </svg>
      <figcaption>Left: mud and snow. Right: the three-peak mountain snowflake.</figcaption>
    </figure>
  )
}
