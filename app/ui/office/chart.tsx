import type { Chart, Drawing, Mark } from '#app/views/report-charts.server.ts'

/**
 * A chart rendered on the server for three widths, of which only one is visible. The table next to it is its text
 * alternative.
 */
export function ChartFigure({ chart: { label, key, drawings } }: { chart: Chart }) {
  return (
    <figure className="office-figure">
      <figcaption className="chart-key">
        {key.map(({ look, words }) => (
          <span key={words}>
            <i className={`chart-${look}`} />
            {words}
          </span>
        ))}
      </figcaption>
      {drawings.map((drawing) => (
        <DrawnChart key={drawing.size} drawing={drawing} label={label} />
      ))}
    </figure>
  )
}

function DrawnChart({ drawing: { size, width, height, marks }, label }: { drawing: Drawing; label: string }) {
  return (
    <svg
      className={`office-chart is-${size}`}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${label}. The numbers are in the table.`}
    >
      {marks.map((mark, index) => (
        <DrawnMark key={index} mark={mark} />
      ))}
    </svg>
  )
}

function DrawnMark({ mark }: { mark: Mark }) {
  switch (mark.kind) {
    case 'line':
      return <line className={`mark-${mark.look}`} x1={mark.x1} y1={mark.y1} x2={mark.x2} y2={mark.y2} />
    case 'bar':
      return <rect className={`mark-${mark.look}`} x={mark.x} y={mark.y} width={mark.width} height={mark.height} />
    case 'path':
      return <path className="mark-path" d={mark.d} />
    case 'point':
      return <circle className={`mark-point ${mark.look}`} cx={mark.x} cy={mark.y} r={5} />
    case 'text':
      return (
        <text className={`mark-${mark.look}`} x={mark.x} y={mark.y} textAnchor={mark.anchor}>
          {mark.text}
        </text>
      )
  }
}
