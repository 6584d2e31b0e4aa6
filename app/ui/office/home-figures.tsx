import type { FigureView } from '#app/views/office/figures.server.ts'

const width = 140
const height = 34

/** The figures in a row, each a link to its report, with its last fourteen values as a line. */
export function HomeFigures({ figures, label }: { figures: readonly FigureView[]; label: string }) {
  return (
    <section className="office-figures" aria-label={label}>
      {figures.map((figure) => (
        <Figure key={figure.name} figure={figure} />
      ))}
    </section>
  )
}

function Figure({ figure }: { figure: FigureView }) {
  const { label, about, value, change, path, spark } = figure
  const content = (
    <>
      <span className="office-figure-label">{label}</span>
      <span className={value === null ? 'office-figure-value is-none' : 'office-figure-value'}>
        {value ?? 'None yet'}
      </span>
      <span className="office-figure-change">
        {change.change ? <b className={`is-${change.tone}`}>{change.change}</b> : null}
        {change.rest}
      </span>
      <Sparkline spark={spark} isEmpty={value === null} />
    </>
  )
  return path === null ? (
    <div title={about}>{content}</div>
  ) : (
    <a href={path} title={about}>
      {content}
    </a>
  )
}

/** The last value is the dot. Without data, it is a dashed line. */
function Sparkline({ spark: { label, values, fromZero }, isEmpty }: { spark: FigureView['spark']; isEmpty: boolean }) {
  if (isEmpty)
    return (
      <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="spark-base" d={`M0 ${height - 0.5}H${width}`} strokeDasharray="5 4" />
      </svg>
    )
  const top = Math.max(...values)
  const bottom = fromZero ? 0 : Math.min(...values)
  const span = top - bottom || 1
  const at = values.map((value, index) => {
    const x = (index / (values.length - 1)) * width
    const y = fromZero || top !== bottom ? 32 - ((value - bottom) / span) * 28 : 18
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${at.join('L')}`
  const dot = `M${at.at(-1) ?? ''}h.01`
  return (
    <svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" role="img" aria-label={label}>
      <path className="spark-area" d={`${line}L${width} ${height}L0 ${height}Z`} />
      <path className="spark-base" d={`M0 ${height}H${width}`} />
      <path className="spark-line" d={line} />
      <path className="spark-ring" d={dot} />
      <path className="spark-dot" d={dot} />
    </svg>
  )
}
